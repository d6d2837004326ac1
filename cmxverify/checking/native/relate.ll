; Made from relate.c by build_core.py: do not edit.
; sha256 33ccb851f6630be3f43c5abf2f7bd6b9ec73abdb7d8d86f139d112de3ddc1c73
%struct.Search = type { ptr, [64 x i64], i64 }

@WORDS = external constant i64, align 8
@SORT_STARTS = external constant [0 x i64], align 8
@SORTS = external constant i64, align 8

define void @canonicalise_related(ptr noundef %0) #0 {
  %2 = alloca %struct.Search, align 8
  %3 = alloca [64 x i64], align 16
  %4 = alloca [64 x i64], align 16
  call void @llvm.lifetime.start.p0(i64 528, ptr nonnull %2) #6
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(528) %2, i8 0, i64 528, i1 false)
  store ptr %0, ptr %2, align 8
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %3) #6
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %4) #6
  %5 = load i64, ptr @SORTS, align 8
  %6 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %5
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %7, 0
  br i1 %8, label %11, label %9

9:                                                ; preds = %1
  %10 = shl nuw i64 %7, 3
  call void @llvm.memset.p0.i64(ptr nonnull align 16 %3, i8 0, i64 %10, i1 false)
  br label %11

11:                                               ; preds = %9, %1
  call fastcc void @settle(ptr noundef %0, ptr noundef nonnull %3, ptr noundef nonnull %4)
  call fastcc void @explore(ptr noundef nonnull %2, ptr noundef nonnull %3, ptr noundef nonnull %4)
  %12 = load i64, ptr @WORDS, align 8
  %13 = icmp eq i64 %12, 0
  br i1 %13, label %17, label %14

14:                                               ; preds = %11
  %15 = getelementptr inbounds i8, ptr %2, i64 8
  %16 = shl nuw i64 %12, 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %0, ptr nonnull align 8 %15, i64 %16, i1 false)
  br label %17

17:                                               ; preds = %14, %11
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %4) #6
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %3) #6
  call void @llvm.lifetime.end.p0(i64 528, ptr nonnull %2) #6
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #2

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

define internal fastcc void @settle(ptr noundef %0, ptr noundef %1, ptr nocapture noundef %2) unnamed_addr #0 {
  %4 = alloca [64 x i64], align 16
  %5 = alloca [64 x i64], align 16
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %4) #6
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %5) #6
  %6 = load i64, ptr @SORTS, align 8
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %64, label %11

8:                                                ; preds = %58, %11, %20
  %9 = phi i64 [ %12, %20 ], [ %12, %11 ], [ %61, %58 ]
  %10 = icmp eq i64 %16, %6
  br i1 %10, label %64, label %11

11:                                               ; preds = %3, %8
  %12 = phi i64 [ %9, %8 ], [ 0, %3 ]
  %13 = phi i64 [ %16, %8 ], [ 0, %3 ]
  %14 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %13
  %15 = load i64, ptr %14, align 8
  %16 = add nuw i64 %13, 1
  %17 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %16
  %18 = load i64, ptr %17, align 8
  %19 = icmp ult i64 %15, %18
  br i1 %19, label %21, label %8

20:                                               ; preds = %38
  br i1 %19, label %43, label %8

21:                                               ; preds = %11, %38
  %22 = phi i64 [ %41, %38 ], [ %15, %11 ]
  %23 = icmp ugt i64 %22, %15
  br i1 %23, label %24, label %38

24:                                               ; preds = %21
  %25 = getelementptr inbounds i64, ptr %1, i64 %22
  br label %26

26:                                               ; preds = %35, %24
  %27 = phi i64 [ %22, %24 ], [ %28, %35 ]
  %28 = add i64 %27, -1
  %29 = getelementptr inbounds i64, ptr %2, i64 %28
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds i64, ptr %1, i64 %30
  %32 = load i64, ptr %31, align 8
  %33 = load i64, ptr %25, align 8
  %34 = icmp ugt i64 %32, %33
  br i1 %34, label %35, label %38

35:                                               ; preds = %26
  %36 = getelementptr inbounds i64, ptr %2, i64 %27
  store i64 %30, ptr %36, align 8
  %37 = icmp ugt i64 %28, %15
  br i1 %37, label %26, label %38

38:                                               ; preds = %35, %26, %21
  %39 = phi i64 [ %22, %21 ], [ %27, %26 ], [ %15, %35 ]
  %40 = getelementptr inbounds i64, ptr %2, i64 %39
  store i64 %22, ptr %40, align 8
  %41 = add nuw i64 %22, 1
  %42 = icmp eq i64 %41, %18
  br i1 %42, label %20, label %21

43:                                               ; preds = %20, %58
  %44 = phi i64 [ %62, %58 ], [ %15, %20 ]
  %45 = phi i64 [ %61, %58 ], [ %12, %20 ]
  %46 = icmp eq i64 %44, %15
  br i1 %46, label %58, label %47

47:                                               ; preds = %43
  %48 = getelementptr inbounds i64, ptr %2, i64 %44
  %49 = load i64, ptr %48, align 8
  %50 = getelementptr inbounds i64, ptr %1, i64 %49
  %51 = load i64, ptr %50, align 8
  %52 = add i64 %44, -1
  %53 = getelementptr inbounds i64, ptr %2, i64 %52
  %54 = load i64, ptr %53, align 8
  %55 = getelementptr inbounds i64, ptr %1, i64 %54
  %56 = load i64, ptr %55, align 8
  %57 = icmp ne i64 %51, %56
  br label %58

58:                                               ; preds = %47, %43
  %59 = phi i1 [ true, %43 ], [ %57, %47 ]
  %60 = zext i1 %59 to i64
  %61 = add i64 %45, %60
  %62 = add nuw i64 %44, 1
  %63 = icmp eq i64 %62, %18
  br i1 %63, label %8, label %43

64:                                               ; preds = %8, %3
  %65 = phi i64 [ 0, %3 ], [ %9, %8 ]
  %66 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %6
  %67 = load i64, ptr %66, align 8
  %68 = tail call i64 @llvm.umax.i64(i64 %67, i64 1)
  br label %69

69:                                               ; preds = %142, %64
  %70 = phi i64 [ %65, %64 ], [ %143, %142 ]
  %71 = icmp ult i64 %70, %67
  br i1 %71, label %72, label %144

72:                                               ; preds = %69
  call void @refine(ptr noundef %0, ptr noundef %1, ptr noundef nonnull %4) #6
  br i1 %7, label %129, label %76

73:                                               ; preds = %123, %76, %85
  %74 = phi i64 [ %77, %85 ], [ %77, %76 ], [ %126, %123 ]
  %75 = icmp eq i64 %81, %6
  br i1 %75, label %129, label %76

76:                                               ; preds = %72, %73
  %77 = phi i64 [ %74, %73 ], [ 0, %72 ]
  %78 = phi i64 [ %81, %73 ], [ 0, %72 ]
  %79 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %78
  %80 = load i64, ptr %79, align 8
  %81 = add nuw i64 %78, 1
  %82 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %81
  %83 = load i64, ptr %82, align 8
  %84 = icmp ult i64 %80, %83
  br i1 %84, label %86, label %73

85:                                               ; preds = %103
  br i1 %84, label %108, label %73

86:                                               ; preds = %76, %103
  %87 = phi i64 [ %106, %103 ], [ %80, %76 ]
  %88 = icmp ugt i64 %87, %80
  br i1 %88, label %89, label %103

89:                                               ; preds = %86
  %90 = getelementptr inbounds i64, ptr %4, i64 %87
  %91 = load i64, ptr %90, align 8
  br label %92

92:                                               ; preds = %100, %89
  %93 = phi i64 [ %87, %89 ], [ %94, %100 ]
  %94 = add i64 %93, -1
  %95 = getelementptr inbounds i64, ptr %5, i64 %94
  %96 = load i64, ptr %95, align 8
  %97 = getelementptr inbounds i64, ptr %4, i64 %96
  %98 = load i64, ptr %97, align 8
  %99 = icmp ugt i64 %98, %91
  br i1 %99, label %100, label %103

100:                                              ; preds = %92
  %101 = getelementptr inbounds i64, ptr %5, i64 %93
  store i64 %96, ptr %101, align 8
  %102 = icmp ugt i64 %94, %80
  br i1 %102, label %92, label %103

103:                                              ; preds = %100, %92, %86
  %104 = phi i64 [ %87, %86 ], [ %93, %92 ], [ %80, %100 ]
  %105 = getelementptr inbounds i64, ptr %5, i64 %104
  store i64 %87, ptr %105, align 8
  %106 = add nuw i64 %87, 1
  %107 = icmp eq i64 %106, %83
  br i1 %107, label %85, label %86

108:                                              ; preds = %85, %123
  %109 = phi i64 [ %127, %123 ], [ %80, %85 ]
  %110 = phi i64 [ %126, %123 ], [ %77, %85 ]
  %111 = icmp eq i64 %109, %80
  br i1 %111, label %123, label %112

112:                                              ; preds = %108
  %113 = getelementptr inbounds i64, ptr %5, i64 %109
  %114 = load i64, ptr %113, align 8
  %115 = getelementptr inbounds i64, ptr %4, i64 %114
  %116 = load i64, ptr %115, align 8
  %117 = add i64 %109, -1
  %118 = getelementptr inbounds i64, ptr %5, i64 %117
  %119 = load i64, ptr %118, align 8
  %120 = getelementptr inbounds i64, ptr %4, i64 %119
  %121 = load i64, ptr %120, align 8
  %122 = icmp ne i64 %116, %121
  br label %123

123:                                              ; preds = %112, %108
  %124 = phi i1 [ true, %108 ], [ %122, %112 ]
  %125 = zext i1 %124 to i64
  %126 = add i64 %110, %125
  %127 = add nuw i64 %109, 1
  %128 = icmp eq i64 %127, %83
  br i1 %128, label %73, label %108

129:                                              ; preds = %73, %72
  %130 = phi i64 [ 0, %72 ], [ %74, %73 ]
  %131 = icmp ugt i64 %130, %70
  br i1 %131, label %132, label %142

132:                                              ; preds = %129, %132
  %133 = phi i64 [ %140, %132 ], [ 0, %129 ]
  %134 = getelementptr inbounds [64 x i64], ptr %4, i64 0, i64 %133
  %135 = load i64, ptr %134, align 8
  %136 = getelementptr inbounds i64, ptr %1, i64 %133
  store i64 %135, ptr %136, align 8
  %137 = getelementptr inbounds [64 x i64], ptr %5, i64 0, i64 %133
  %138 = load i64, ptr %137, align 8
  %139 = getelementptr inbounds i64, ptr %2, i64 %133
  store i64 %138, ptr %139, align 8
  %140 = add nuw i64 %133, 1
  %141 = icmp eq i64 %140, %68
  br i1 %141, label %142, label %132

142:                                              ; preds = %132, %129
  %143 = phi i64 [ %70, %129 ], [ %130, %132 ]
  br i1 %131, label %69, label %144

144:                                              ; preds = %69, %142
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %5) #6
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %4) #6
  ret void
}

define internal fastcc void @explore(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2) unnamed_addr #0 {
  %4 = alloca [64 x i64], align 16
  %5 = alloca [64 x i64], align 16
  %6 = alloca [64 x i64], align 16
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %4) #6
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %5) #6
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %6) #6
  %7 = load i64, ptr @SORTS, align 8
  %8 = icmp ne i64 %7, 0
  br i1 %8, label %9, label %44

9:                                                ; preds = %3, %41
  %10 = phi i1 [ %42, %41 ], [ %8, %3 ]
  %11 = phi i64 [ %14, %41 ], [ 0, %3 ]
  %12 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %11
  %13 = load i64, ptr %12, align 8
  %14 = add nuw i64 %11, 1
  %15 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %14
  %16 = load i64, ptr %15, align 8
  br label %17

17:                                               ; preds = %21, %9
  %18 = phi i64 [ %13, %9 ], [ %19, %21 ]
  %19 = add i64 %18, 1
  %20 = icmp ult i64 %19, %16
  br i1 %20, label %21, label %41

21:                                               ; preds = %17
  %22 = getelementptr inbounds i64, ptr %2, i64 %19
  %23 = load i64, ptr %22, align 8
  %24 = getelementptr inbounds i64, ptr %1, i64 %23
  %25 = load i64, ptr %24, align 8
  %26 = getelementptr inbounds i64, ptr %2, i64 %18
  %27 = load i64, ptr %26, align 8
  %28 = getelementptr inbounds i64, ptr %1, i64 %27
  %29 = load i64, ptr %28, align 8
  %30 = icmp eq i64 %25, %29
  br i1 %30, label %31, label %17

31:                                               ; preds = %21, %38
  %32 = phi i64 [ %39, %38 ], [ %19, %21 ]
  %33 = getelementptr inbounds i64, ptr %2, i64 %32
  %34 = load i64, ptr %33, align 8
  %35 = getelementptr inbounds i64, ptr %1, i64 %34
  %36 = load i64, ptr %35, align 8
  %37 = icmp eq i64 %36, %29
  br i1 %37, label %38, label %44

38:                                               ; preds = %31
  %39 = add nuw i64 %32, 1
  %40 = icmp ult i64 %39, %16
  br i1 %40, label %31, label %44

41:                                               ; preds = %17
  %42 = icmp ult i64 %14, %7
  %43 = icmp eq i64 %14, %7
  br i1 %43, label %44, label %9

44:                                               ; preds = %41, %31, %38, %3
  %45 = phi i64 [ undef, %3 ], [ %18, %38 ], [ %18, %31 ], [ undef, %41 ]
  %46 = phi i64 [ undef, %3 ], [ %32, %31 ], [ %16, %38 ], [ undef, %41 ]
  %47 = phi i1 [ %8, %3 ], [ %10, %38 ], [ %10, %31 ], [ %42, %41 ]
  br i1 %47, label %49, label %48

48:                                               ; preds = %44
  tail call fastcc void @keep_least(ptr noundef %0, ptr noundef %2)
  br label %95

49:                                               ; preds = %44
  %50 = load ptr, ptr %0, align 8
  %51 = call fastcc i64 @strangers(ptr noundef %50, ptr noundef %2, i64 noundef %45, i64 noundef %46, ptr noundef nonnull %4)
  %52 = icmp eq i64 %51, 0
  br i1 %52, label %95, label %53

53:                                               ; preds = %49
  %54 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %7
  %55 = load i64, ptr %54, align 8
  %56 = icmp eq i64 %55, 0
  %57 = icmp eq i64 %51, 1
  %58 = icmp ult i64 %45, %46
  %59 = shl nuw i64 %55, 3
  br label %60

60:                                               ; preds = %53, %91
  %61 = phi i64 [ 0, %53 ], [ %93, %91 ]
  br i1 %56, label %63, label %62

62:                                               ; preds = %60
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 16 %5, ptr align 8 %1, i64 %59, i1 false)
  br label %63

63:                                               ; preds = %62, %60
  br i1 %57, label %64, label %81

64:                                               ; preds = %63
  br i1 %58, label %65, label %91

65:                                               ; preds = %64, %65
  %66 = phi i64 [ %79, %65 ], [ %45, %64 ]
  %67 = getelementptr inbounds i64, ptr %2, i64 %66
  %68 = load i64, ptr %67, align 8
  %69 = getelementptr inbounds i64, ptr %1, i64 %68
  %70 = load i64, ptr %69, align 8
  %71 = sub nuw i64 %66, %45
  %72 = mul i64 %71, -7046029254386353131
  %73 = add i64 %72, -7046029254386353131
  %74 = xor i64 %70, %73
  %75 = mul i64 %74, -4658895280553007687
  %76 = lshr i64 %75, 32
  %77 = xor i64 %76, %75
  %78 = getelementptr inbounds [64 x i64], ptr %5, i64 0, i64 %68
  store i64 %77, ptr %78, align 8
  %79 = add nuw i64 %66, 1
  %80 = icmp eq i64 %79, %46
  br i1 %80, label %91, label %65

81:                                               ; preds = %63
  %82 = getelementptr inbounds [64 x i64], ptr %4, i64 0, i64 %61
  %83 = load i64, ptr %82, align 8
  %84 = getelementptr inbounds i64, ptr %1, i64 %83
  %85 = load i64, ptr %84, align 8
  %86 = xor i64 %85, -7046029254386353131
  %87 = mul i64 %86, -4658895280553007687
  %88 = lshr i64 %87, 32
  %89 = xor i64 %88, %87
  %90 = getelementptr inbounds [64 x i64], ptr %5, i64 0, i64 %83
  store i64 %89, ptr %90, align 8
  br label %91

91:                                               ; preds = %65, %64, %81
  %92 = load ptr, ptr %0, align 8
  call fastcc void @settle(ptr noundef %92, ptr noundef nonnull %5, ptr noundef nonnull %6)
  call fastcc void @explore(ptr noundef nonnull %0, ptr noundef nonnull %5, ptr noundef nonnull %6)
  %93 = add nuw i64 %61, 1
  %94 = icmp eq i64 %93, %51
  br i1 %94, label %95, label %60

95:                                               ; preds = %91, %49, %48
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %6) #6
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %5) #6
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %4) #6
  ret void
}

declare void @refine(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr

define internal fastcc void @keep_least(ptr nocapture noundef %0, ptr nocapture noundef readonly %1) unnamed_addr #0 {
  %3 = alloca [64 x i64], align 16
  %4 = alloca [64 x i64], align 16
  %5 = alloca [64 x i64], align 16
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %5) #6
  %6 = load ptr, ptr %0, align 8
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %3) #6
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %4) #6
  %7 = load i64, ptr @SORTS, align 8
  %8 = icmp eq i64 %7, 0
  br i1 %8, label %29, label %11

9:                                                ; preds = %19, %11
  %10 = icmp eq i64 %15, %7
  br i1 %10, label %29, label %11

11:                                               ; preds = %2, %9
  %12 = phi i64 [ %15, %9 ], [ 0, %2 ]
  %13 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %12
  %14 = load i64, ptr %13, align 8
  %15 = add nuw i64 %12, 1
  %16 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %15
  %17 = load i64, ptr %16, align 8
  %18 = icmp ult i64 %14, %17
  br i1 %18, label %19, label %9

19:                                               ; preds = %11, %19
  %20 = phi i64 [ %27, %19 ], [ %14, %11 ]
  %21 = sub nuw i64 %20, %14
  %22 = getelementptr inbounds i64, ptr %1, i64 %20
  %23 = load i64, ptr %22, align 8
  %24 = getelementptr inbounds [64 x i64], ptr %3, i64 0, i64 %23
  store i64 %21, ptr %24, align 8
  %25 = sub i64 %23, %14
  %26 = getelementptr inbounds [64 x i64], ptr %4, i64 0, i64 %20
  store i64 %25, ptr %26, align 8
  %27 = add nuw i64 %20, 1
  %28 = icmp eq i64 %27, %17
  br i1 %28, label %9, label %19

29:                                               ; preds = %9, %2
  call void @permute(ptr noundef %6, ptr noundef nonnull %3, ptr noundef nonnull %4, ptr noundef nonnull %5) #6
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %4) #6
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %3) #6
  %30 = getelementptr inbounds %struct.Search, ptr %0, i64 0, i32 2
  %31 = load i64, ptr %30, align 8
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %49, label %33

33:                                               ; preds = %29
  %34 = getelementptr inbounds %struct.Search, ptr %0, i64 0, i32 1
  %35 = load i64, ptr @WORDS, align 8
  %36 = icmp eq i64 %35, 0
  br i1 %36, label %56, label %40

37:                                               ; preds = %40
  %38 = add nuw i64 %41, 1
  %39 = icmp eq i64 %38, %35
  br i1 %39, label %56, label %40

40:                                               ; preds = %33, %37
  %41 = phi i64 [ %38, %37 ], [ 0, %33 ]
  %42 = getelementptr inbounds i64, ptr %5, i64 %41
  %43 = load i64, ptr %42, align 8
  %44 = getelementptr inbounds i64, ptr %34, i64 %41
  %45 = load i64, ptr %44, align 8
  %46 = icmp eq i64 %43, %45
  br i1 %46, label %37, label %47

47:                                               ; preds = %40
  %48 = icmp ult i64 %43, %45
  br i1 %48, label %49, label %56

49:                                               ; preds = %47, %29
  %50 = load i64, ptr @WORDS, align 8
  %51 = icmp eq i64 %50, 0
  br i1 %51, label %55, label %52

52:                                               ; preds = %49
  %53 = getelementptr i8, ptr %0, i64 8
  %54 = shl nuw i64 %50, 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %53, ptr nonnull align 16 %5, i64 %54, i1 false)
  br label %55

55:                                               ; preds = %52, %49
  store i64 1, ptr %30, align 8
  br label %56

56:                                               ; preds = %37, %33, %47, %55
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %5) #6
  ret void
}

define internal fastcc i64 @strangers(ptr noundef %0, ptr nocapture noundef readonly %1, i64 noundef %2, i64 noundef %3, ptr nocapture noundef %4) unnamed_addr #0 {
  %6 = alloca [64 x i64], align 16
  %7 = alloca [64 x i64], align 16
  %8 = alloca [64 x i64], align 16
  %9 = alloca [64 x i64], align 16
  %10 = icmp ult i64 %2, %3
  br i1 %10, label %11, label %25

11:                                               ; preds = %5
  %12 = load i64, ptr @SORTS, align 8
  %13 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %12
  %14 = icmp eq i64 %12, 0
  %15 = load i64, ptr @WORDS, align 8
  %16 = icmp eq i64 %15, 0
  br label %17

17:                                               ; preds = %11, %84
  %18 = phi i64 [ %2, %11 ], [ %86, %84 ]
  %19 = phi i64 [ 0, %11 ], [ %85, %84 ]
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %79, label %21

21:                                               ; preds = %17
  %22 = getelementptr inbounds i64, ptr %1, i64 %18
  %23 = load i64, ptr %13, align 8
  %24 = icmp eq i64 %23, 0
  br label %28

25:                                               ; preds = %84, %5
  %26 = phi i64 [ 0, %5 ], [ %85, %84 ]
  ret i64 %26

27:                                               ; preds = %74
  br i1 %75, label %79, label %84

28:                                               ; preds = %21, %74
  %29 = phi i64 [ 0, %21 ], [ %76, %74 ]
  %30 = getelementptr inbounds i64, ptr %4, i64 %29
  %31 = load i64, ptr %30, align 8
  %32 = load i64, ptr %22, align 8
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %8) #6
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %9) #6
  br i1 %24, label %33, label %65

33:                                               ; preds = %65, %28
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %6) #6
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %7) #6
  br i1 %14, label %54, label %36

34:                                               ; preds = %44, %36
  %35 = icmp eq i64 %40, %12
  br i1 %35, label %54, label %36

36:                                               ; preds = %33, %34
  %37 = phi i64 [ %40, %34 ], [ 0, %33 ]
  %38 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %37
  %39 = load i64, ptr %38, align 8
  %40 = add nuw i64 %37, 1
  %41 = getelementptr inbounds [0 x i64], ptr @SORT_STARTS, i64 0, i64 %40
  %42 = load i64, ptr %41, align 8
  %43 = icmp ult i64 %39, %42
  br i1 %43, label %44, label %34

44:                                               ; preds = %36, %44
  %45 = phi i64 [ %52, %44 ], [ %39, %36 ]
  %46 = sub nuw i64 %45, %39
  %47 = getelementptr inbounds i64, ptr %8, i64 %45
  %48 = load i64, ptr %47, align 8
  %49 = getelementptr inbounds [64 x i64], ptr %6, i64 0, i64 %48
  store i64 %46, ptr %49, align 8
  %50 = sub i64 %48, %39
  %51 = getelementptr inbounds [64 x i64], ptr %7, i64 0, i64 %45
  store i64 %50, ptr %51, align 8
  %52 = add nuw i64 %45, 1
  %53 = icmp eq i64 %52, %42
  br i1 %53, label %34, label %44

54:                                               ; preds = %34, %33
  call void @permute(ptr noundef %0, ptr noundef nonnull %6, ptr noundef nonnull %7, ptr noundef nonnull %9) #6
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %7) #6
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %6) #6
  br i1 %16, label %74, label %55

55:                                               ; preds = %54, %55
  %56 = phi i64 [ %62, %55 ], [ 0, %54 ]
  %57 = getelementptr inbounds i64, ptr %9, i64 %56
  %58 = load i64, ptr %57, align 8
  %59 = getelementptr inbounds i64, ptr %0, i64 %56
  %60 = load i64, ptr %59, align 8
  %61 = icmp ne i64 %58, %60
  %62 = add nuw i64 %56, 1
  %63 = icmp eq i64 %62, %15
  %64 = select i1 %61, i1 true, i1 %63
  br i1 %64, label %74, label %55

65:                                               ; preds = %28, %65
  %66 = phi i64 [ %72, %65 ], [ 0, %28 ]
  %67 = icmp eq i64 %66, %31
  %68 = icmp eq i64 %66, %32
  %69 = select i1 %68, i64 %31, i64 %66
  %70 = select i1 %67, i64 %32, i64 %69
  %71 = getelementptr inbounds [64 x i64], ptr %8, i64 0, i64 %66
  store i64 %70, ptr %71, align 8
  %72 = add nuw i64 %66, 1
  %73 = icmp eq i64 %72, %23
  br i1 %73, label %33, label %65

74:                                               ; preds = %55, %54
  %75 = phi i1 [ false, %54 ], [ %61, %55 ]
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %9) #6
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %8) #6
  %76 = add nuw i64 %29, 1
  %77 = icmp ult i64 %76, %19
  %78 = and i1 %75, %77
  br i1 %78, label %28, label %27

79:                                               ; preds = %17, %27
  %80 = getelementptr inbounds i64, ptr %1, i64 %18
  %81 = load i64, ptr %80, align 8
  %82 = add i64 %19, 1
  %83 = getelementptr inbounds i64, ptr %4, i64 %19
  store i64 %81, ptr %83, align 8
  br label %84

84:                                               ; preds = %79, %27
  %85 = phi i64 [ %19, %27 ], [ %82, %79 ]
  %86 = add nuw i64 %18, 1
  %87 = icmp eq i64 %86, %3
  br i1 %87, label %25, label %17
}

declare void @permute(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr

declare i64 @llvm.umax.i64(i64, i64) #4

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #5

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { nounwind }
