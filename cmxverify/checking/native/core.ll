; Made from core.c by build_core.py: do not edit.
; sha256 0213374367b29e9bae42ba1edb1343489f93dd149aed30f1d1a9d295b93309d9
%struct.Shard = type { ptr, i64, i64, ptr, i64, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, ptr, i64, ptr, ptr, i64, i64 }

@BATCH = external constant i64, align 8
@INSTANCES = external constant i64, align 8
@WORDS = external constant i64, align 8
@sum_graph.SEEDS = internal unnamed_addr constant [2 x i64] [i64 -7046029254386353131, i64 -3335678366873096957], align 16

define i64 @advance(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 7
  %4 = load i64, ptr %3, align 8
  %5 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 6
  %6 = load i64, ptr %5, align 8
  %7 = sub i64 %4, %6
  %8 = icmp ugt i64 %7, %1
  %9 = add i64 %6, %1
  %10 = select i1 %8, i64 %9, i64 %4
  %11 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 1
  %12 = icmp ult i64 %6, %10
  br i1 %12, label %13, label %69

13:                                               ; preds = %2
  %14 = load i64, ptr @BATCH, align 8
  %15 = load i64, ptr @INSTANCES, align 8
  %16 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 2
  %17 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 11
  %18 = load i64, ptr @WORDS, align 8
  %19 = mul i64 %18, %14
  %20 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 8
  %21 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 9
  %22 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 10
  %23 = load i64, ptr %11, align 8
  %24 = add i64 %14, %23
  %25 = add i64 %24, %15
  %26 = load i64, ptr %16, align 8
  %27 = icmp ugt i64 %25, %26
  br i1 %27, label %69, label %28

28:                                               ; preds = %13
  %29 = icmp sgt i64 %19, 0
  br label %36

30:                                               ; preds = %59
  %31 = load i64, ptr %11, align 8
  %32 = add i64 %14, %31
  %33 = add i64 %32, %15
  %34 = load i64, ptr %16, align 8
  %35 = icmp ugt i64 %33, %34
  br i1 %35, label %69, label %36

36:                                               ; preds = %28, %30
  %37 = load ptr, ptr %17, align 8
  %38 = getelementptr inbounds i64, ptr %37, i64 %19
  br i1 %29, label %39, label %59

39:                                               ; preds = %36, %57
  %40 = phi ptr [ %51, %57 ], [ %37, %36 ]
  %41 = load i64, ptr %5, align 8
  %42 = icmp ult i64 %41, %10
  br i1 %42, label %43, label %59

43:                                               ; preds = %39
  %44 = add i64 %41, 1
  store i64 %44, ptr %5, align 8
  %45 = load ptr, ptr %0, align 8
  %46 = mul i64 %41, %18
  %47 = getelementptr inbounds i64, ptr %45, i64 %46
  %48 = load ptr, ptr %20, align 8
  %49 = load ptr, ptr %21, align 8
  %50 = load ptr, ptr %22, align 8
  %51 = tail call ptr @expand(ptr noundef %47, ptr noundef %40, ptr noundef %48, ptr noundef %49, ptr noundef %50) #8
  %52 = icmp ugt ptr %51, %40
  br i1 %52, label %53, label %57

53:                                               ; preds = %43, %53
  %54 = phi ptr [ %55, %53 ], [ %40, %43 ]
  tail call void @canonicalise(ptr noundef %54) #8
  %55 = getelementptr inbounds i64, ptr %54, i64 %18
  %56 = icmp ult ptr %55, %51
  br i1 %56, label %53, label %57

57:                                               ; preds = %53, %43
  %58 = icmp ult ptr %51, %38
  br i1 %58, label %39, label %59

59:                                               ; preds = %39, %57, %36
  %60 = phi ptr [ %37, %36 ], [ %40, %39 ], [ %51, %57 ]
  %61 = load ptr, ptr %17, align 8
  %62 = ptrtoint ptr %60 to i64
  %63 = ptrtoint ptr %61 to i64
  %64 = sub i64 %62, %63
  %65 = ashr exact i64 %64, 3
  %66 = udiv i64 %65, %18
  tail call fastcc void @store(ptr noundef %0, ptr noundef %61, i64 noundef %66)
  %67 = load i64, ptr %5, align 8
  %68 = icmp ult i64 %67, %10
  br i1 %68, label %30, label %69

69:                                               ; preds = %59, %30, %13, %2
  %70 = phi i64 [ %6, %2 ], [ %6, %13 ], [ %67, %30 ], [ %67, %59 ]
  %71 = load i64, ptr %3, align 8
  %72 = sub i64 %71, %70
  ret i64 %72
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

define internal fastcc void @store(ptr nocapture noundef %0, ptr noundef %1, i64 noundef %2) unnamed_addr #2 {
  %4 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 12
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 13
  %7 = load ptr, ptr %6, align 8
  %8 = icmp eq i64 %2, 0
  br i1 %8, label %108, label %9

9:                                                ; preds = %3
  %10 = load i64, ptr @WORDS, align 8
  %11 = icmp eq i64 %10, 0
  %12 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 3
  %13 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 4
  br label %19

14:                                               ; preds = %37
  %15 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 3
  %16 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 4
  %17 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 5
  %18 = load i64, ptr @WORDS, align 8
  br label %60

19:                                               ; preds = %9, %37
  %20 = phi i64 [ 0, %9 ], [ %49, %37 ]
  %21 = mul i64 %10, %20
  %22 = getelementptr inbounds i64, ptr %1, i64 %21
  br i1 %11, label %37, label %23

23:                                               ; preds = %19, %23
  %24 = phi i64 [ %35, %23 ], [ 0, %19 ]
  %25 = phi i64 [ %34, %23 ], [ 0, %19 ]
  %26 = getelementptr inbounds i64, ptr %22, i64 %24
  %27 = load i64, ptr %26, align 8
  %28 = xor i64 %27, %25
  %29 = mul i64 %28, -4658895280553007687
  %30 = lshr i64 %29, 32
  %31 = xor i64 %30, %29
  %32 = mul i64 %31, -7723592293110705685
  %33 = lshr i64 %32, 29
  %34 = xor i64 %33, %32
  %35 = add nuw i64 %24, 1
  %36 = icmp eq i64 %35, %10
  br i1 %36, label %37, label %23

37:                                               ; preds = %23, %19
  %38 = phi i64 [ 0, %19 ], [ %34, %23 ]
  %39 = getelementptr inbounds i64, ptr %5, i64 %20
  store i64 %38, ptr %39, align 8
  %40 = load ptr, ptr %12, align 8
  %41 = zext i64 %38 to i128
  %42 = load i64, ptr %13, align 8
  %43 = zext i64 %42 to i128
  %44 = mul nuw i128 %43, %41
  %45 = lshr i128 %44, 60
  %46 = trunc i128 %45 to i64
  %47 = and i64 %46, -16
  %48 = getelementptr inbounds i32, ptr %40, i64 %47
  tail call void @llvm.prefetch.p0(ptr %48, i32 1, i32 3, i32 1)
  %49 = add nuw i64 %20, 1
  %50 = icmp eq i64 %49, %2
  br i1 %50, label %14, label %19

51:                                               ; preds = %105
  %52 = load i64, ptr @WORDS, align 8
  %53 = icmp eq i64 %52, 0
  %54 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 5
  %55 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 4
  %56 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 3
  %57 = icmp eq i64 %52, 0
  %58 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 1
  %59 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 10
  br label %109

60:                                               ; preds = %14, %105
  %61 = phi i64 [ 0, %14 ], [ %106, %105 ]
  %62 = getelementptr inbounds i64, ptr %5, i64 %61
  %63 = load i64, ptr %62, align 8
  %64 = load ptr, ptr %15, align 8
  %65 = zext i64 %63 to i128
  %66 = load i64, ptr %16, align 8
  %67 = zext i64 %66 to i128
  %68 = mul nuw i128 %67, %65
  %69 = lshr i128 %68, 60
  %70 = trunc i128 %69 to i64
  %71 = and i64 %70, -16
  %72 = getelementptr inbounds i32, ptr %64, i64 %71
  %73 = load i64, ptr %17, align 8
  %74 = shl nsw i64 -1, %73
  %75 = trunc i64 %74 to i32
  %76 = xor i32 %75, -1
  %77 = shl i64 %63, %73
  %78 = trunc i64 %77 to i32
  %79 = load <16 x i32>, ptr %72, align 64
  %80 = insertelement <16 x i32> poison, i32 %78, i64 0
  %81 = shufflevector <16 x i32> %80, <16 x i32> poison, <16 x i32> zeroinitializer
  %82 = xor <16 x i32> %81, %79
  %83 = add <16 x i32> %82, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %84 = insertelement <16 x i32> poison, i32 %76, i64 0
  %85 = shufflevector <16 x i32> %84, <16 x i32> poison, <16 x i32> zeroinitializer
  %86 = icmp ult <16 x i32> %83, %85
  %87 = bitcast <16 x i1> %86 to i16
  %88 = icmp eq i16 %87, 0
  br i1 %88, label %97, label %89

89:                                               ; preds = %60
  %90 = tail call i16 @llvm.cttz.i16(i16 %87, i1 true)
  %91 = zext i16 %90 to i64
  %92 = getelementptr inbounds i32, ptr %72, i64 %91
  %93 = load i32, ptr %92, align 4
  %94 = and i32 %93, %76
  %95 = zext i32 %94 to i64
  %96 = add nsw i64 %95, -1
  br label %97

97:                                               ; preds = %60, %89
  %98 = phi i64 [ %96, %89 ], [ -1, %60 ]
  %99 = getelementptr inbounds i64, ptr %7, i64 %61
  store i64 %98, ptr %99, align 8
  %100 = icmp eq i64 %98, -1
  br i1 %100, label %105, label %101

101:                                              ; preds = %97
  %102 = load ptr, ptr %0, align 8
  %103 = mul i64 %18, %98
  %104 = getelementptr inbounds i64, ptr %102, i64 %103
  tail call void @llvm.prefetch.p0(ptr %104, i32 0, i32 3, i32 1)
  br label %105

105:                                              ; preds = %97, %101
  %106 = add nuw i64 %61, 1
  %107 = icmp eq i64 %106, %2
  br i1 %107, label %51, label %60

108:                                              ; preds = %272, %3
  ret void

109:                                              ; preds = %51, %272
  %110 = phi i64 [ 0, %51 ], [ %273, %272 ]
  %111 = mul i64 %52, %110
  %112 = getelementptr inbounds i64, ptr %1, i64 %111
  %113 = getelementptr inbounds i64, ptr %7, i64 %110
  %114 = load i64, ptr %113, align 8
  %115 = icmp eq i64 %114, -1
  br i1 %115, label %137, label %116

116:                                              ; preds = %109
  %117 = load ptr, ptr %0, align 8
  %118 = mul i64 %114, %52
  %119 = getelementptr inbounds i64, ptr %117, i64 %118
  br i1 %53, label %134, label %123

120:                                              ; preds = %123
  %121 = icmp eq i64 %131, 0
  %122 = zext i1 %121 to i32
  br label %134

123:                                              ; preds = %116, %123
  %124 = phi i64 [ %132, %123 ], [ 0, %116 ]
  %125 = phi i64 [ %131, %123 ], [ 0, %116 ]
  %126 = getelementptr inbounds i64, ptr %119, i64 %124
  %127 = load i64, ptr %126, align 8
  %128 = getelementptr inbounds i64, ptr %112, i64 %124
  %129 = load i64, ptr %128, align 8
  %130 = xor i64 %129, %127
  %131 = or i64 %130, %125
  %132 = add nuw i64 %124, 1
  %133 = icmp eq i64 %132, %52
  br i1 %133, label %120, label %123

134:                                              ; preds = %116, %120
  %135 = phi i32 [ 1, %116 ], [ %122, %120 ]
  %136 = icmp eq i32 %135, 0
  br i1 %136, label %137, label %272

137:                                              ; preds = %134, %109
  %138 = getelementptr inbounds i64, ptr %5, i64 %110
  %139 = load i64, ptr %138, align 8
  %140 = load i64, ptr %54, align 8
  %141 = shl nsw i64 -1, %140
  %142 = trunc i64 %141 to i32
  %143 = xor i32 %142, -1
  %144 = zext i64 %139 to i128
  %145 = load i64, ptr %55, align 8
  %146 = zext i64 %145 to i128
  %147 = mul nuw i128 %146, %144
  %148 = lshr i128 %147, 64
  %149 = trunc i128 %148 to i64
  %150 = load ptr, ptr %56, align 8
  %151 = shl i64 %139, %140
  %152 = trunc i64 %151 to i32
  %153 = insertelement <16 x i32> poison, i32 %152, i64 0
  %154 = shufflevector <16 x i32> %153, <16 x i32> poison, <16 x i32> zeroinitializer
  %155 = insertelement <16 x i32> poison, i32 %143, i64 0
  %156 = shufflevector <16 x i32> %155, <16 x i32> poison, <16 x i32> zeroinitializer
  br label %157

157:                                              ; preds = %217, %137
  %158 = phi i64 [ %149, %137 ], [ %220, %217 ]
  %159 = phi i64 [ undef, %137 ], [ %216, %217 ]
  %160 = shl i64 %158, 4
  %161 = getelementptr inbounds i32, ptr %150, i64 %160
  %162 = load <16 x i32>, ptr %161, align 64
  %163 = xor <16 x i32> %162, %154
  %164 = add <16 x i32> %163, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %165 = icmp ult <16 x i32> %164, %156
  %166 = bitcast <16 x i1> %165 to i16
  %167 = icmp eq i16 %166, 0
  br i1 %167, label %206, label %168

168:                                              ; preds = %157
  %169 = zext i16 %166 to i32
  %170 = load ptr, ptr %0, align 8
  br label %171

171:                                              ; preds = %202, %168
  %172 = phi i1 [ false, %168 ], [ %205, %202 ]
  %173 = phi i64 [ %159, %168 ], [ %201, %202 ]
  %174 = phi i32 [ %169, %168 ], [ %204, %202 ]
  %175 = tail call i32 @llvm.cttz.i32(i32 %174, i1 true)
  %176 = zext i32 %175 to i64
  %177 = getelementptr inbounds i32, ptr %161, i64 %176
  %178 = load i32, ptr %177, align 4
  %179 = and i32 %178, %143
  %180 = add i32 %179, -1
  %181 = zext i32 %180 to i64
  %182 = mul i64 %52, %181
  %183 = getelementptr inbounds i64, ptr %170, i64 %182
  br i1 %57, label %198, label %187

184:                                              ; preds = %187
  %185 = icmp eq i64 %195, 0
  %186 = zext i1 %185 to i32
  br label %198

187:                                              ; preds = %171, %187
  %188 = phi i64 [ %196, %187 ], [ 0, %171 ]
  %189 = phi i64 [ %195, %187 ], [ 0, %171 ]
  %190 = getelementptr inbounds i64, ptr %183, i64 %188
  %191 = load i64, ptr %190, align 8
  %192 = getelementptr inbounds i64, ptr %112, i64 %188
  %193 = load i64, ptr %192, align 8
  %194 = xor i64 %193, %191
  %195 = or i64 %194, %189
  %196 = add nuw i64 %188, 1
  %197 = icmp eq i64 %196, %52
  br i1 %197, label %184, label %187

198:                                              ; preds = %184, %171
  %199 = phi i32 [ 1, %171 ], [ %186, %184 ]
  %200 = icmp eq i32 %199, 0
  %201 = select i1 %200, i64 %173, i64 %181
  br i1 %200, label %202, label %206

202:                                              ; preds = %198
  %203 = add i32 %174, -1
  %204 = and i32 %203, %174
  %205 = icmp eq i32 %204, 0
  br i1 %205, label %206, label %171

206:                                              ; preds = %202, %198, %157
  %207 = phi i1 [ %167, %157 ], [ %172, %198 ], [ %205, %202 ]
  %208 = phi i64 [ %159, %157 ], [ %201, %198 ], [ %201, %202 ]
  br i1 %207, label %209, label %214

209:                                              ; preds = %206
  %210 = getelementptr inbounds i32, ptr %161, i64 15
  %211 = load i32, ptr %210, align 4
  %212 = icmp ne i32 %211, 0
  %213 = select i1 %212, i64 %208, i64 -1
  br label %214

214:                                              ; preds = %209, %206
  %215 = phi i1 [ false, %206 ], [ %212, %209 ]
  %216 = phi i64 [ %208, %206 ], [ %213, %209 ]
  br i1 %215, label %217, label %221

217:                                              ; preds = %214
  %218 = add i64 %158, 1
  %219 = icmp eq i64 %218, %145
  %220 = select i1 %219, i64 0, i64 %218
  br label %157

221:                                              ; preds = %214
  %222 = icmp eq i64 %216, -1
  br i1 %222, label %223, label %272

223:                                              ; preds = %221
  %224 = load ptr, ptr %0, align 8
  %225 = load i64, ptr %58, align 8
  %226 = mul i64 %225, %52
  %227 = getelementptr i64, ptr %224, i64 %226
  br i1 %57, label %235, label %228

228:                                              ; preds = %223, %228
  %229 = phi i64 [ %233, %228 ], [ 0, %223 ]
  %230 = getelementptr inbounds i64, ptr %112, i64 %229
  %231 = load i64, ptr %230, align 8
  %232 = getelementptr inbounds i64, ptr %227, i64 %229
  store i64 %231, ptr %232, align 8
  %233 = add nuw i64 %229, 1
  %234 = icmp eq i64 %233, %52
  br i1 %234, label %235, label %228

235:                                              ; preds = %228, %223
  %236 = load i64, ptr %58, align 8
  %237 = add i64 %236, 1
  store i64 %237, ptr %58, align 8
  %238 = load i64, ptr %55, align 8
  %239 = zext i64 %238 to i128
  %240 = mul nuw i128 %239, %144
  %241 = lshr i128 %240, 64
  %242 = trunc i128 %241 to i64
  %243 = load i64, ptr %54, align 8
  %244 = load ptr, ptr %56, align 8
  %245 = shl i64 %242, 4
  %246 = getelementptr inbounds i32, ptr %244, i64 %245
  %247 = getelementptr inbounds i32, ptr %246, i64 15
  %248 = load i32, ptr %247, align 4
  %249 = icmp eq i32 %248, 0
  br i1 %249, label %260, label %250

250:                                              ; preds = %235, %250
  %251 = phi i64 [ %254, %250 ], [ %242, %235 ]
  %252 = add i64 %251, 1
  %253 = icmp eq i64 %252, %238
  %254 = select i1 %253, i64 0, i64 %252
  %255 = shl i64 %254, 4
  %256 = getelementptr inbounds i32, ptr %244, i64 %255
  %257 = getelementptr inbounds i32, ptr %256, i64 15
  %258 = load i32, ptr %257, align 4
  %259 = icmp eq i32 %258, 0
  br i1 %259, label %260, label %250

260:                                              ; preds = %250, %235
  %261 = phi ptr [ %246, %235 ], [ %256, %250 ]
  %262 = shl i64 %139, %243
  %263 = or i64 %262, %237
  %264 = trunc i64 %263 to i32
  %265 = load <16 x i32>, ptr %261, align 64
  %266 = icmp eq <16 x i32> %265, zeroinitializer
  %267 = bitcast <16 x i1> %266 to i16
  %268 = tail call i16 @llvm.cttz.i16(i16 %267, i1 true)
  %269 = zext i16 %268 to i64
  %270 = getelementptr inbounds i32, ptr %261, i64 %269
  store i32 %264, ptr %270, align 4
  %271 = load ptr, ptr %59, align 8
  tail call void @check(ptr noundef %112, ptr noundef %271) #8
  br label %272

272:                                              ; preds = %221, %260, %134
  %273 = add nuw i64 %110, 1
  %274 = icmp eq i64 %273, %2
  br i1 %274, label %108, label %109
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

define void @store_initial(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 11
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq i64 %1, 0
  br i1 %5, label %11, label %6

6:                                                ; preds = %2
  %7 = load i64, ptr @WORDS, align 8
  %8 = icmp eq i64 %7, 0
  %9 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 15
  %10 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 14
  br label %20

11:                                               ; preds = %48, %2
  %12 = phi ptr [ %4, %2 ], [ %58, %48 ]
  %13 = load ptr, ptr %3, align 8
  %14 = ptrtoint ptr %12 to i64
  %15 = ptrtoint ptr %13 to i64
  %16 = sub i64 %14, %15
  %17 = ashr exact i64 %16, 3
  %18 = load i64, ptr @WORDS, align 8
  %19 = udiv i64 %17, %18
  tail call fastcc void @store(ptr noundef %0, ptr noundef %13, i64 noundef %19)
  ret void

20:                                               ; preds = %6, %48
  %21 = phi ptr [ %4, %6 ], [ %58, %48 ]
  %22 = phi i64 [ 0, %6 ], [ %59, %48 ]
  %23 = load ptr, ptr %3, align 8
  %24 = mul i64 %7, %22
  %25 = getelementptr inbounds i64, ptr %23, i64 %24
  tail call void @canonicalise(ptr noundef %25) #8
  br i1 %8, label %48, label %26

26:                                               ; preds = %20, %26
  %27 = phi i64 [ %31, %26 ], [ 0, %20 ]
  %28 = getelementptr inbounds i64, ptr %25, i64 %27
  %29 = load i64, ptr %28, align 8
  %30 = getelementptr inbounds i64, ptr %21, i64 %27
  store i64 %29, ptr %30, align 8
  %31 = add nuw i64 %27, 1
  %32 = icmp eq i64 %31, %7
  br i1 %32, label %33, label %26

33:                                               ; preds = %26
  br i1 %8, label %48, label %34

34:                                               ; preds = %33, %34
  %35 = phi i64 [ %46, %34 ], [ 0, %33 ]
  %36 = phi i64 [ %45, %34 ], [ 0, %33 ]
  %37 = getelementptr inbounds i64, ptr %25, i64 %35
  %38 = load i64, ptr %37, align 8
  %39 = xor i64 %38, %36
  %40 = mul i64 %39, -4658895280553007687
  %41 = lshr i64 %40, 32
  %42 = xor i64 %41, %40
  %43 = mul i64 %42, -7723592293110705685
  %44 = lshr i64 %43, 29
  %45 = xor i64 %44, %43
  %46 = add nuw i64 %35, 1
  %47 = icmp eq i64 %46, %7
  br i1 %47, label %48, label %34

48:                                               ; preds = %34, %20, %33
  %49 = phi i64 [ 0, %33 ], [ 0, %20 ], [ %45, %34 ]
  %50 = lshr i64 %49, 20
  %51 = and i64 %50, 65535
  %52 = load i64, ptr %9, align 8
  %53 = mul i64 %51, %52
  %54 = lshr i64 %53, 16
  %55 = load i64, ptr %10, align 8
  %56 = icmp eq i64 %54, %55
  %57 = select i1 %56, i64 %7, i64 0
  %58 = getelementptr i64, ptr %21, i64 %57
  %59 = add nuw i64 %22, 1
  %60 = icmp eq i64 %59, %1
  br i1 %60, label %11, label %20
}

declare void @canonicalise(ptr noundef) local_unnamed_addr

define i64 @send(ptr nocapture noundef %0) #0 {
  %2 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 15
  %3 = load i64, ptr %2, align 8
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %7, label %5

5:                                                ; preds = %1
  %6 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 18
  br label %27

7:                                                ; preds = %27, %1
  %8 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 15
  %9 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 6
  %10 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 7
  %11 = load i64, ptr %9, align 8
  %12 = load i64, ptr %10, align 8
  %13 = icmp ugt i64 %12, %11
  br i1 %13, label %14, label %43

14:                                               ; preds = %7
  %15 = load i64, ptr @INSTANCES, align 8
  %16 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 17
  %17 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 11
  %18 = load i64, ptr @WORDS, align 8
  %19 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 8
  %20 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 9
  %21 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 10
  %22 = icmp eq i64 %18, 0
  %23 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 16
  %24 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 18
  %25 = load i64, ptr %16, align 8
  %26 = icmp ugt i64 %15, %25
  br i1 %26, label %43, label %47

27:                                               ; preds = %5, %27
  %28 = phi i64 [ 0, %5 ], [ %31, %27 ]
  %29 = load ptr, ptr %6, align 8
  %30 = getelementptr inbounds i64, ptr %29, i64 %28
  store i64 0, ptr %30, align 8
  %31 = add nuw i64 %28, 1
  %32 = load i64, ptr %2, align 8
  %33 = icmp ult i64 %31, %32
  br i1 %33, label %27, label %7

34:                                               ; preds = %107, %64
  %35 = phi i64 [ %48, %64 ], [ %109, %107 ]
  %36 = load i64, ptr %9, align 8
  %37 = load i64, ptr %10, align 8
  %38 = icmp ugt i64 %37, %36
  br i1 %38, label %39, label %43

39:                                               ; preds = %34
  %40 = add i64 %15, %35
  %41 = load i64, ptr %16, align 8
  %42 = icmp ugt i64 %40, %41
  br i1 %42, label %43, label %47

43:                                               ; preds = %34, %39, %14, %7
  %44 = phi i64 [ %11, %7 ], [ %11, %14 ], [ %36, %39 ], [ %36, %34 ]
  %45 = phi i64 [ %12, %7 ], [ %12, %14 ], [ %37, %39 ], [ %37, %34 ]
  %46 = sub i64 %45, %44
  ret i64 %46

47:                                               ; preds = %14, %39
  %48 = phi i64 [ %35, %39 ], [ 0, %14 ]
  %49 = phi i64 [ %36, %39 ], [ %11, %14 ]
  %50 = load ptr, ptr %17, align 8
  %51 = add i64 %49, 1
  store i64 %51, ptr %9, align 8
  %52 = load ptr, ptr %0, align 8
  %53 = mul i64 %18, %49
  %54 = getelementptr inbounds i64, ptr %52, i64 %53
  %55 = load ptr, ptr %19, align 8
  %56 = load ptr, ptr %20, align 8
  %57 = load ptr, ptr %21, align 8
  %58 = tail call ptr @expand(ptr noundef %54, ptr noundef %50, ptr noundef %55, ptr noundef %56, ptr noundef %57) #8
  %59 = icmp ugt ptr %58, %50
  br i1 %59, label %60, label %64

60:                                               ; preds = %47, %60
  %61 = phi ptr [ %62, %60 ], [ %50, %47 ]
  tail call void @canonicalise(ptr noundef %61) #8
  %62 = getelementptr inbounds i64, ptr %61, i64 %18
  %63 = icmp ult ptr %62, %58
  br i1 %63, label %60, label %64

64:                                               ; preds = %60, %47
  %65 = icmp ult ptr %50, %58
  br i1 %65, label %66, label %34

66:                                               ; preds = %64, %107
  %67 = phi i64 [ %109, %107 ], [ %48, %64 ]
  %68 = phi ptr [ %108, %107 ], [ %50, %64 ]
  br i1 %22, label %83, label %69

69:                                               ; preds = %66, %69
  %70 = phi i64 [ %81, %69 ], [ 0, %66 ]
  %71 = phi i64 [ %80, %69 ], [ 0, %66 ]
  %72 = getelementptr inbounds i64, ptr %68, i64 %70
  %73 = load i64, ptr %72, align 8
  %74 = xor i64 %73, %71
  %75 = mul i64 %74, -4658895280553007687
  %76 = lshr i64 %75, 32
  %77 = xor i64 %76, %75
  %78 = mul i64 %77, -7723592293110705685
  %79 = lshr i64 %78, 29
  %80 = xor i64 %79, %78
  %81 = add nuw i64 %70, 1
  %82 = icmp eq i64 %81, %18
  br i1 %82, label %83, label %69

83:                                               ; preds = %69, %66
  %84 = phi i64 [ 0, %66 ], [ %80, %69 ]
  %85 = lshr i64 %84, 20
  %86 = and i64 %85, 65535
  %87 = load i64, ptr %8, align 8
  %88 = mul i64 %86, %87
  %89 = lshr i64 %88, 16
  %90 = load ptr, ptr %23, align 8
  %91 = load i64, ptr %16, align 8
  %92 = mul i64 %89, %91
  %93 = load ptr, ptr %24, align 8
  %94 = getelementptr inbounds i64, ptr %93, i64 %89
  %95 = load i64, ptr %94, align 8
  %96 = add i64 %95, 1
  store i64 %96, ptr %94, align 8
  %97 = add i64 %92, %95
  %98 = mul i64 %97, %18
  %99 = getelementptr i64, ptr %90, i64 %98
  br i1 %22, label %107, label %100

100:                                              ; preds = %83, %100
  %101 = phi i64 [ %105, %100 ], [ 0, %83 ]
  %102 = getelementptr inbounds i64, ptr %68, i64 %101
  %103 = load i64, ptr %102, align 8
  %104 = getelementptr inbounds i64, ptr %99, i64 %101
  store i64 %103, ptr %104, align 8
  %105 = add nuw i64 %101, 1
  %106 = icmp eq i64 %105, %18
  br i1 %106, label %107, label %100

107:                                              ; preds = %100, %83
  %108 = getelementptr inbounds i64, ptr %68, i64 %18
  %109 = add i64 %67, 1
  %110 = icmp ult ptr %108, %58
  br i1 %110, label %66, label %34
}

define i64 @receive(ptr nocapture noundef %0, ptr noundef %1, i64 noundef %2) #0 {
  %4 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 1
  %5 = icmp eq i64 %2, 0
  br i1 %5, label %23, label %6

6:                                                ; preds = %3
  %7 = load i64, ptr @BATCH, align 8
  %8 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 2
  %9 = load i64, ptr @WORDS, align 8
  br label %10

10:                                               ; preds = %6, %16
  %11 = phi i64 [ 0, %6 ], [ %21, %16 ]
  %12 = load i64, ptr %4, align 8
  %13 = add i64 %7, %12
  %14 = load i64, ptr %8, align 8
  %15 = icmp ugt i64 %13, %14
  br i1 %15, label %23, label %16

16:                                               ; preds = %10
  %17 = sub i64 %2, %11
  %18 = tail call i64 @llvm.umin.i64(i64 %17, i64 %7)
  %19 = mul i64 %9, %11
  %20 = getelementptr inbounds i64, ptr %1, i64 %19
  tail call fastcc void @store(ptr noundef %0, ptr noundef %20, i64 noundef %18)
  %21 = add i64 %18, %11
  %22 = icmp ult i64 %21, %2
  br i1 %22, label %10, label %23

23:                                               ; preds = %10, %16, %3
  %24 = phi i64 [ 0, %3 ], [ %11, %10 ], [ %21, %16 ]
  ret i64 %24
}

define void @fill_table(ptr nocapture noundef readonly %0) #4 {
  %2 = alloca [64 x i64], align 16
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %2) #8
  %3 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 1
  %4 = load i64, ptr %3, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %14, label %6

6:                                                ; preds = %1
  %7 = load i64, ptr @WORDS, align 8
  %8 = icmp eq i64 %7, 0
  %9 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 3
  %10 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 4
  %11 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 4
  %12 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 5
  %13 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 3
  br label %15

14:                                               ; preds = %62, %1
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %2) #8
  ret void

15:                                               ; preds = %6, %62
  %16 = phi i64 [ 0, %6 ], [ %66, %62 ]
  %17 = phi i64 [ %4, %6 ], [ %64, %62 ]
  %18 = phi i64 [ 0, %6 ], [ %63, %62 ]
  %19 = sub i64 %17, %18
  %20 = tail call i64 @llvm.umin.i64(i64 %19, i64 64)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %62, label %22

22:                                               ; preds = %15
  %23 = load ptr, ptr %0, align 8
  %24 = load ptr, ptr %9, align 8
  %25 = load i64, ptr %10, align 8
  %26 = zext i64 %25 to i128
  %27 = add i64 %17, %16
  %28 = tail call i64 @llvm.umin.i64(i64 %27, i64 64)
  br label %32

29:                                               ; preds = %51
  %30 = add i64 %17, %16
  %31 = tail call i64 @llvm.umin.i64(i64 %30, i64 64)
  br label %67

32:                                               ; preds = %22, %51
  %33 = phi i64 [ 0, %22 ], [ %60, %51 ]
  %34 = add nuw nsw i64 %33, %18
  %35 = mul i64 %7, %34
  %36 = getelementptr inbounds i64, ptr %23, i64 %35
  br i1 %8, label %51, label %37

37:                                               ; preds = %32, %37
  %38 = phi i64 [ %49, %37 ], [ 0, %32 ]
  %39 = phi i64 [ %48, %37 ], [ 0, %32 ]
  %40 = getelementptr inbounds i64, ptr %36, i64 %38
  %41 = load i64, ptr %40, align 8
  %42 = xor i64 %41, %39
  %43 = mul i64 %42, -4658895280553007687
  %44 = lshr i64 %43, 32
  %45 = xor i64 %44, %43
  %46 = mul i64 %45, -7723592293110705685
  %47 = lshr i64 %46, 29
  %48 = xor i64 %47, %46
  %49 = add nuw i64 %38, 1
  %50 = icmp eq i64 %49, %7
  br i1 %50, label %51, label %37

51:                                               ; preds = %37, %32
  %52 = phi i64 [ 0, %32 ], [ %48, %37 ]
  %53 = getelementptr inbounds [64 x i64], ptr %2, i64 0, i64 %33
  store i64 %52, ptr %53, align 8
  %54 = zext i64 %52 to i128
  %55 = mul nuw i128 %26, %54
  %56 = lshr i128 %55, 60
  %57 = trunc i128 %56 to i64
  %58 = and i64 %57, -16
  %59 = getelementptr inbounds i32, ptr %24, i64 %58
  tail call void @llvm.prefetch.p0(ptr %59, i32 1, i32 3, i32 1)
  %60 = add nuw nsw i64 %33, 1
  %61 = icmp eq i64 %60, %28
  br i1 %61, label %29, label %32

62:                                               ; preds = %100, %15
  %63 = add i64 %18, 64
  %64 = load i64, ptr %3, align 8
  %65 = icmp ugt i64 %64, %63
  %66 = add i64 %16, -64
  br i1 %65, label %15, label %14

67:                                               ; preds = %29, %100
  %68 = phi i64 [ %108, %100 ], [ 0, %29 ]
  %69 = getelementptr inbounds [64 x i64], ptr %2, i64 0, i64 %68
  %70 = load i64, ptr %69, align 8
  %71 = zext i64 %70 to i128
  %72 = load i64, ptr %11, align 8
  %73 = zext i64 %72 to i128
  %74 = mul nuw i128 %73, %71
  %75 = lshr i128 %74, 64
  %76 = trunc i128 %75 to i64
  %77 = load i64, ptr %12, align 8
  %78 = shl i64 %70, %77
  %79 = trunc i64 %78 to i32
  %80 = add nuw nsw i64 %68, %18
  %81 = trunc i64 %80 to i32
  %82 = add i32 %81, 1
  %83 = or i32 %82, %79
  %84 = load ptr, ptr %13, align 8
  %85 = shl i64 %76, 4
  %86 = getelementptr inbounds i32, ptr %84, i64 %85
  %87 = getelementptr inbounds i32, ptr %86, i64 15
  %88 = load i32, ptr %87, align 4
  %89 = icmp eq i32 %88, 0
  br i1 %89, label %100, label %90

90:                                               ; preds = %67, %90
  %91 = phi i64 [ %94, %90 ], [ %76, %67 ]
  %92 = add i64 %91, 1
  %93 = icmp eq i64 %92, %72
  %94 = select i1 %93, i64 0, i64 %92
  %95 = shl i64 %94, 4
  %96 = getelementptr inbounds i32, ptr %84, i64 %95
  %97 = getelementptr inbounds i32, ptr %96, i64 15
  %98 = load i32, ptr %97, align 4
  %99 = icmp eq i32 %98, 0
  br i1 %99, label %100, label %90

100:                                              ; preds = %90, %67
  %101 = phi ptr [ %86, %67 ], [ %96, %90 ]
  %102 = load <16 x i32>, ptr %101, align 64
  %103 = icmp eq <16 x i32> %102, zeroinitializer
  %104 = bitcast <16 x i1> %103 to i16
  %105 = tail call i16 @llvm.cttz.i16(i16 %104, i1 true)
  %106 = zext i16 %105 to i64
  %107 = getelementptr inbounds i32, ptr %101, i64 %106
  store i32 %83, ptr %107, align 4
  %108 = add nuw nsw i64 %68, 1
  %109 = icmp eq i64 %108, %31
  br i1 %109, label %62, label %67
}

declare void @llvm.prefetch.p0(ptr nocapture readonly, i32 immarg, i32 immarg, i32 immarg) #5

define i64 @first_raising(ptr nocapture noundef readonly %0, i64 noundef %1, i64 noundef %2, i64 noundef %3, i64 noundef %4) #0 {
  %6 = icmp ult i64 %1, %2
  br i1 %6, label %7, label %37

7:                                                ; preds = %5
  %8 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 10
  %9 = icmp eq i64 %4, 0
  %10 = load i64, ptr @WORDS, align 8
  %11 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 11
  %12 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 8
  %13 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 9
  br label %14

14:                                               ; preds = %7, %34
  %15 = phi i64 [ %1, %7 ], [ %35, %34 ]
  %16 = load ptr, ptr %8, align 8
  %17 = getelementptr inbounds i8, ptr %16, i64 %3
  store i8 0, ptr %17, align 1
  %18 = load ptr, ptr %0, align 8
  %19 = mul i64 %10, %15
  %20 = getelementptr inbounds i64, ptr %18, i64 %19
  br i1 %9, label %27, label %21

21:                                               ; preds = %14
  %22 = load ptr, ptr %11, align 8
  %23 = load ptr, ptr %12, align 8
  %24 = load ptr, ptr %13, align 8
  %25 = load ptr, ptr %8, align 8
  %26 = tail call ptr @expand(ptr noundef %20, ptr noundef %22, ptr noundef %23, ptr noundef %24, ptr noundef %25) #8
  br label %29

27:                                               ; preds = %14
  %28 = load ptr, ptr %8, align 8
  tail call void @check(ptr noundef %20, ptr noundef %28) #8
  br label %29

29:                                               ; preds = %27, %21
  %30 = load ptr, ptr %8, align 8
  %31 = getelementptr inbounds i8, ptr %30, i64 %3
  %32 = load i8, ptr %31, align 1
  %33 = icmp eq i8 %32, 0
  br i1 %33, label %34, label %37

34:                                               ; preds = %29
  %35 = add nuw i64 %15, 1
  %36 = icmp eq i64 %35, %2
  br i1 %36, label %37, label %14

37:                                               ; preds = %34, %29, %5
  %38 = phi i64 [ -1, %5 ], [ -1, %34 ], [ %15, %29 ]
  ret i64 %38
}

declare ptr @expand(ptr noundef, ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr

declare void @check(ptr noundef, ptr noundef) local_unnamed_addr

define i64 @first_before(ptr nocapture noundef readonly %0, i64 noundef %1, i64 noundef %2, ptr nocapture noundef readonly %3) #0 {
  %5 = icmp ult i64 %1, %2
  br i1 %5, label %6, label %174

6:                                                ; preds = %4
  %7 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 11
  %8 = load i64, ptr @WORDS, align 8
  %9 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 8
  %10 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 9
  %11 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 10
  %12 = icmp eq i64 %8, 0
  %13 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 15
  br label %17

14:                                               ; preds = %171
  %15 = add nuw i64 %19, 1
  %16 = icmp eq i64 %15, %2
  br i1 %16, label %174, label %17

17:                                               ; preds = %6, %14
  %18 = phi i64 [ undef, %6 ], [ %173, %14 ]
  %19 = phi i64 [ %1, %6 ], [ %15, %14 ]
  %20 = load ptr, ptr %7, align 8
  %21 = load ptr, ptr %0, align 8
  %22 = mul i64 %8, %19
  %23 = getelementptr inbounds i64, ptr %21, i64 %22
  %24 = load ptr, ptr %9, align 8
  %25 = load ptr, ptr %10, align 8
  %26 = load ptr, ptr %11, align 8
  %27 = tail call ptr @expand(ptr noundef %23, ptr noundef %20, ptr noundef %24, ptr noundef %25, ptr noundef %26) #8
  %28 = icmp ugt ptr %27, %20
  br i1 %28, label %29, label %33

29:                                               ; preds = %17, %29
  %30 = phi ptr [ %31, %29 ], [ %20, %17 ]
  tail call void @canonicalise(ptr noundef %30) #8
  %31 = getelementptr inbounds i64, ptr %30, i64 %8
  %32 = icmp ult ptr %31, %27
  br i1 %32, label %29, label %33

33:                                               ; preds = %29, %17
  %34 = icmp ult ptr %20, %27
  br i1 %34, label %35, label %171

35:                                               ; preds = %33
  %36 = load i64, ptr %13, align 8
  br label %37

37:                                               ; preds = %35, %168
  %38 = phi i1 [ %34, %35 ], [ %170, %168 ]
  %39 = phi i64 [ %18, %35 ], [ %167, %168 ]
  %40 = phi ptr [ %20, %35 ], [ %169, %168 ]
  br i1 %12, label %55, label %41

41:                                               ; preds = %37, %41
  %42 = phi i64 [ %53, %41 ], [ 0, %37 ]
  %43 = phi i64 [ %52, %41 ], [ 0, %37 ]
  %44 = getelementptr inbounds i64, ptr %40, i64 %42
  %45 = load i64, ptr %44, align 8
  %46 = xor i64 %45, %43
  %47 = mul i64 %46, -4658895280553007687
  %48 = lshr i64 %47, 32
  %49 = xor i64 %48, %47
  %50 = mul i64 %49, -7723592293110705685
  %51 = lshr i64 %50, 29
  %52 = xor i64 %51, %50
  %53 = add nuw i64 %42, 1
  %54 = icmp eq i64 %53, %8
  br i1 %54, label %55, label %41

55:                                               ; preds = %41, %37
  %56 = phi i64 [ 0, %37 ], [ %52, %41 ]
  %57 = lshr i64 %56, 20
  %58 = and i64 %57, 65535
  %59 = mul i64 %58, %36
  %60 = lshr i64 %59, 16
  %61 = getelementptr inbounds ptr, ptr %3, i64 %60
  %62 = load ptr, ptr %61, align 8
  %63 = getelementptr inbounds %struct.Shard, ptr %62, i64 0, i32 5
  %64 = load i64, ptr %63, align 8
  %65 = shl nsw i64 -1, %64
  %66 = trunc i64 %65 to i32
  %67 = xor i32 %66, -1
  %68 = zext i64 %56 to i128
  %69 = getelementptr inbounds %struct.Shard, ptr %62, i64 0, i32 4
  %70 = load i64, ptr %69, align 8
  %71 = zext i64 %70 to i128
  %72 = mul nuw i128 %71, %68
  %73 = lshr i128 %72, 64
  %74 = trunc i128 %73 to i64
  %75 = getelementptr inbounds %struct.Shard, ptr %62, i64 0, i32 3
  %76 = load ptr, ptr %75, align 8
  %77 = shl i64 %56, %64
  %78 = trunc i64 %77 to i32
  %79 = insertelement <16 x i32> poison, i32 %78, i64 0
  %80 = shufflevector <16 x i32> %79, <16 x i32> poison, <16 x i32> zeroinitializer
  %81 = insertelement <16 x i32> poison, i32 %67, i64 0
  %82 = shufflevector <16 x i32> %81, <16 x i32> poison, <16 x i32> zeroinitializer
  br label %83

83:                                               ; preds = %143, %55
  %84 = phi i64 [ %74, %55 ], [ %146, %143 ]
  %85 = phi i64 [ undef, %55 ], [ %142, %143 ]
  %86 = shl i64 %84, 4
  %87 = getelementptr inbounds i32, ptr %76, i64 %86
  %88 = load <16 x i32>, ptr %87, align 64
  %89 = xor <16 x i32> %88, %80
  %90 = add <16 x i32> %89, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %91 = icmp ult <16 x i32> %90, %82
  %92 = bitcast <16 x i1> %91 to i16
  %93 = icmp eq i16 %92, 0
  br i1 %93, label %132, label %94

94:                                               ; preds = %83
  %95 = zext i16 %92 to i32
  %96 = load ptr, ptr %62, align 8
  br label %97

97:                                               ; preds = %128, %94
  %98 = phi i1 [ false, %94 ], [ %131, %128 ]
  %99 = phi i64 [ %85, %94 ], [ %127, %128 ]
  %100 = phi i32 [ %95, %94 ], [ %130, %128 ]
  %101 = tail call i32 @llvm.cttz.i32(i32 %100, i1 true)
  %102 = zext i32 %101 to i64
  %103 = getelementptr inbounds i32, ptr %87, i64 %102
  %104 = load i32, ptr %103, align 4
  %105 = and i32 %104, %67
  %106 = add i32 %105, -1
  %107 = zext i32 %106 to i64
  %108 = mul i64 %8, %107
  %109 = getelementptr inbounds i64, ptr %96, i64 %108
  br i1 %12, label %124, label %113

110:                                              ; preds = %113
  %111 = icmp eq i64 %121, 0
  %112 = zext i1 %111 to i32
  br label %124

113:                                              ; preds = %97, %113
  %114 = phi i64 [ %122, %113 ], [ 0, %97 ]
  %115 = phi i64 [ %121, %113 ], [ 0, %97 ]
  %116 = getelementptr inbounds i64, ptr %109, i64 %114
  %117 = load i64, ptr %116, align 8
  %118 = getelementptr inbounds i64, ptr %40, i64 %114
  %119 = load i64, ptr %118, align 8
  %120 = xor i64 %119, %117
  %121 = or i64 %120, %115
  %122 = add nuw i64 %114, 1
  %123 = icmp eq i64 %122, %8
  br i1 %123, label %110, label %113

124:                                              ; preds = %110, %97
  %125 = phi i32 [ 1, %97 ], [ %112, %110 ]
  %126 = icmp eq i32 %125, 0
  %127 = select i1 %126, i64 %99, i64 %107
  br i1 %126, label %128, label %132

128:                                              ; preds = %124
  %129 = add i32 %100, -1
  %130 = and i32 %129, %100
  %131 = icmp eq i32 %130, 0
  br i1 %131, label %132, label %97

132:                                              ; preds = %128, %124, %83
  %133 = phi i1 [ %93, %83 ], [ %98, %124 ], [ %131, %128 ]
  %134 = phi i64 [ %85, %83 ], [ %127, %124 ], [ %127, %128 ]
  br i1 %133, label %135, label %140

135:                                              ; preds = %132
  %136 = getelementptr inbounds i32, ptr %87, i64 15
  %137 = load i32, ptr %136, align 4
  %138 = icmp ne i32 %137, 0
  %139 = select i1 %138, i64 %134, i64 -1
  br label %140

140:                                              ; preds = %135, %132
  %141 = phi i1 [ false, %132 ], [ %138, %135 ]
  %142 = phi i64 [ %134, %132 ], [ %139, %135 ]
  br i1 %141, label %143, label %147

143:                                              ; preds = %140
  %144 = add i64 %84, 1
  %145 = icmp eq i64 %144, %70
  %146 = select i1 %145, i64 0, i64 %144
  br label %83

147:                                              ; preds = %140
  %148 = icmp eq i64 %142, -1
  br i1 %148, label %164, label %149

149:                                              ; preds = %147
  %150 = getelementptr inbounds %struct.Shard, ptr %62, i64 0, i32 20
  %151 = load i64, ptr %150, align 8
  %152 = icmp ult i64 %142, %151
  br i1 %152, label %164, label %153

153:                                              ; preds = %149
  %154 = getelementptr inbounds %struct.Shard, ptr %62, i64 0, i32 21
  %155 = load i64, ptr %154, align 8
  %156 = icmp ult i64 %142, %155
  br i1 %156, label %157, label %164

157:                                              ; preds = %153
  %158 = getelementptr inbounds %struct.Shard, ptr %62, i64 0, i32 19
  %159 = load ptr, ptr %158, align 8
  %160 = sub i64 %142, %151
  %161 = getelementptr inbounds i8, ptr %159, i64 %160
  %162 = load i8, ptr %161, align 1
  %163 = icmp eq i8 %162, 0
  br i1 %163, label %164, label %165

164:                                              ; preds = %157, %153, %149, %147
  br label %165

165:                                              ; preds = %157, %164
  %166 = phi i1 [ true, %164 ], [ false, %157 ]
  %167 = phi i64 [ %39, %164 ], [ %19, %157 ]
  br i1 %166, label %168, label %171

168:                                              ; preds = %165
  %169 = getelementptr inbounds i64, ptr %40, i64 %8
  %170 = icmp ult ptr %169, %27
  br i1 %170, label %37, label %171

171:                                              ; preds = %165, %168, %33
  %172 = phi i1 [ %34, %33 ], [ %38, %165 ], [ %170, %168 ]
  %173 = phi i64 [ %18, %33 ], [ %167, %168 ], [ %167, %165 ]
  br i1 %172, label %174, label %14

174:                                              ; preds = %171, %14, %4
  %175 = phi i64 [ -1, %4 ], [ %173, %171 ], [ -1, %14 ]
  ret i64 %175
}

define void @sum_graph(ptr nocapture noundef readonly %0, i64 noundef %1, i64 noundef %2, ptr nocapture noundef %3) #0 {
  %5 = alloca [3 x i64], align 16
  %6 = icmp ult i64 %1, %2
  br i1 %6, label %7, label %14

7:                                                ; preds = %4
  %8 = load i64, ptr @WORDS, align 8
  %9 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 11
  %10 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 12
  %11 = icmp eq i64 %8, 0
  %12 = getelementptr inbounds i64, ptr %5, i64 1
  %13 = getelementptr inbounds i64, ptr %5, i64 2
  br label %15

14:                                               ; preds = %24, %4
  ret void

15:                                               ; preds = %7, %24
  %16 = phi i64 [ %1, %7 ], [ %25, %24 ]
  %17 = load ptr, ptr %0, align 8
  %18 = mul i64 %8, %16
  %19 = getelementptr inbounds i64, ptr %17, i64 %18
  %20 = load ptr, ptr %9, align 8
  %21 = load ptr, ptr %10, align 8
  %22 = tail call ptr @expand_edges(ptr noundef %19, ptr noundef %20, ptr noundef %21) #8
  %23 = icmp ult ptr %20, %22
  br label %27

24:                                               ; preds = %55
  %25 = add nuw i64 %16, 1
  %26 = icmp eq i64 %25, %2
  br i1 %26, label %14, label %15

27:                                               ; preds = %15, %55
  %28 = phi i64 [ 0, %15 ], [ %56, %55 ]
  %29 = getelementptr inbounds [2 x i64], ptr @sum_graph.SEEDS, i64 0, i64 %28
  %30 = load i64, ptr %29, align 8
  br i1 %11, label %47, label %31

31:                                               ; preds = %27, %31
  %32 = phi i64 [ %45, %31 ], [ 0, %27 ]
  %33 = phi i64 [ %44, %31 ], [ %30, %27 ]
  %34 = getelementptr inbounds i64, ptr %19, i64 %32
  %35 = load i64, ptr %34, align 8
  %36 = xor i64 %35, %33
  %37 = lshr i64 %36, 30
  %38 = xor i64 %37, %36
  %39 = mul i64 %38, -4658895280553007687
  %40 = lshr i64 %39, 27
  %41 = xor i64 %40, %39
  %42 = mul i64 %41, -7723592293110705685
  %43 = lshr i64 %42, 31
  %44 = xor i64 %43, %42
  %45 = add nuw i64 %32, 1
  %46 = icmp eq i64 %45, %8
  br i1 %46, label %47, label %31

47:                                               ; preds = %31, %27
  %48 = phi i64 [ %30, %27 ], [ %44, %31 ]
  %49 = getelementptr inbounds i64, ptr %3, i64 %28
  %50 = load i64, ptr %49, align 8
  %51 = add i64 %50, %48
  store i64 %51, ptr %49, align 8
  br i1 %23, label %52, label %55

52:                                               ; preds = %47
  %53 = add nuw nsw i64 %28, 2
  %54 = getelementptr inbounds i64, ptr %3, i64 %53
  br label %58

55:                                               ; preds = %98, %47
  %56 = add nuw nsw i64 %28, 1
  %57 = icmp eq i64 %56, 2
  br i1 %57, label %24, label %27

58:                                               ; preds = %52, %98
  %59 = phi ptr [ %20, %52 ], [ %101, %98 ]
  %60 = phi i64 [ 0, %52 ], [ %102, %98 ]
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %5) #8
  store i64 %48, ptr %5, align 16
  %61 = load ptr, ptr %10, align 8
  %62 = getelementptr inbounds i64, ptr %61, i64 %60
  %63 = load i64, ptr %62, align 8
  store i64 %63, ptr %12, align 8
  br i1 %11, label %80, label %64

64:                                               ; preds = %58, %64
  %65 = phi i64 [ %78, %64 ], [ 0, %58 ]
  %66 = phi i64 [ %77, %64 ], [ %30, %58 ]
  %67 = getelementptr inbounds i64, ptr %59, i64 %65
  %68 = load i64, ptr %67, align 8
  %69 = xor i64 %68, %66
  %70 = lshr i64 %69, 30
  %71 = xor i64 %70, %69
  %72 = mul i64 %71, -4658895280553007687
  %73 = lshr i64 %72, 27
  %74 = xor i64 %73, %72
  %75 = mul i64 %74, -7723592293110705685
  %76 = lshr i64 %75, 31
  %77 = xor i64 %76, %75
  %78 = add nuw i64 %65, 1
  %79 = icmp eq i64 %78, %8
  br i1 %79, label %80, label %64

80:                                               ; preds = %64, %58
  %81 = phi i64 [ %30, %58 ], [ %77, %64 ]
  store i64 %81, ptr %13, align 16
  br label %82

82:                                               ; preds = %82, %80
  %83 = phi i64 [ %96, %82 ], [ 0, %80 ]
  %84 = phi i64 [ %95, %82 ], [ %30, %80 ]
  %85 = getelementptr inbounds i64, ptr %5, i64 %83
  %86 = load i64, ptr %85, align 8
  %87 = xor i64 %86, %84
  %88 = lshr i64 %87, 30
  %89 = xor i64 %88, %87
  %90 = mul i64 %89, -4658895280553007687
  %91 = lshr i64 %90, 27
  %92 = xor i64 %91, %90
  %93 = mul i64 %92, -7723592293110705685
  %94 = lshr i64 %93, 31
  %95 = xor i64 %94, %93
  %96 = add nuw nsw i64 %83, 1
  %97 = icmp eq i64 %96, 3
  br i1 %97, label %98, label %82

98:                                               ; preds = %82
  %99 = load i64, ptr %54, align 8
  %100 = add i64 %99, %95
  store i64 %100, ptr %54, align 8
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #8
  %101 = getelementptr inbounds i64, ptr %59, i64 %8
  %102 = add i64 %60, 1
  %103 = icmp ult ptr %101, %22
  br i1 %103, label %58, label %55
}

declare ptr @expand_edges(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr

declare i32 @llvm.cttz.i32(i32, i1 immarg) #6

declare i64 @llvm.umin.i64(i64, i64) #7

declare i16 @llvm.cttz.i16(i16, i1 immarg) #7

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind }
attributes #4 = { nofree nosync nounwind }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #6 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nounwind }
