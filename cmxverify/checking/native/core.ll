; Made from core.c by build_core.py: do not edit.
; sha256 6a5f04af6789a390e66a83d344127f85a936273ba587aef5e2937bb085f44af8
%struct.Shard = type { ptr, i64, i64, ptr, i64, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, ptr, i64, ptr, ptr, i64, i64 }

@BATCH = external constant i64, align 8
@INSTANCES = external constant i64, align 8
@WORDS = external constant i64, align 8
@REDUCED = external constant i64, align 8
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
  br i1 %12, label %13, label %72

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
  %23 = load i64, ptr @REDUCED, align 8
  %24 = icmp ne i64 %23, 0
  %25 = load i64, ptr %11, align 8
  %26 = add i64 %14, %25
  %27 = add i64 %26, %15
  %28 = load i64, ptr %16, align 8
  %29 = icmp ugt i64 %27, %28
  br i1 %29, label %72, label %30

30:                                               ; preds = %13
  %31 = icmp sgt i64 %19, 0
  br label %38

32:                                               ; preds = %62
  %33 = load i64, ptr %11, align 8
  %34 = add i64 %14, %33
  %35 = add i64 %34, %15
  %36 = load i64, ptr %16, align 8
  %37 = icmp ugt i64 %35, %36
  br i1 %37, label %72, label %38

38:                                               ; preds = %30, %32
  %39 = load ptr, ptr %17, align 8
  %40 = getelementptr inbounds i64, ptr %39, i64 %19
  br i1 %31, label %41, label %62

41:                                               ; preds = %38, %60
  %42 = phi ptr [ %53, %60 ], [ %39, %38 ]
  %43 = load i64, ptr %5, align 8
  %44 = icmp ult i64 %43, %10
  br i1 %44, label %45, label %62

45:                                               ; preds = %41
  %46 = add i64 %43, 1
  store i64 %46, ptr %5, align 8
  %47 = load ptr, ptr %0, align 8
  %48 = mul i64 %43, %18
  %49 = getelementptr inbounds i64, ptr %47, i64 %48
  %50 = load ptr, ptr %20, align 8
  %51 = load ptr, ptr %21, align 8
  %52 = load ptr, ptr %22, align 8
  %53 = tail call ptr @expand(ptr noundef %49, ptr noundef %42, ptr noundef %50, ptr noundef %51, ptr noundef %52) #8
  %54 = icmp ugt ptr %53, %42
  %55 = select i1 %24, i1 %54, i1 false
  br i1 %55, label %56, label %60

56:                                               ; preds = %45, %56
  %57 = phi ptr [ %58, %56 ], [ %42, %45 ]
  tail call void @canonicalise(ptr noundef %57) #8
  %58 = getelementptr inbounds i64, ptr %57, i64 %18
  %59 = icmp ult ptr %58, %53
  br i1 %59, label %56, label %60

60:                                               ; preds = %56, %45
  %61 = icmp ult ptr %53, %40
  br i1 %61, label %41, label %62

62:                                               ; preds = %41, %60, %38
  %63 = phi ptr [ %39, %38 ], [ %42, %41 ], [ %53, %60 ]
  %64 = load ptr, ptr %17, align 8
  %65 = ptrtoint ptr %63 to i64
  %66 = ptrtoint ptr %64 to i64
  %67 = sub i64 %65, %66
  %68 = ashr exact i64 %67, 3
  %69 = udiv i64 %68, %18
  tail call fastcc void @store(ptr noundef %0, ptr noundef %64, i64 noundef %69)
  %70 = load i64, ptr %5, align 8
  %71 = icmp ult i64 %70, %10
  br i1 %71, label %32, label %72

72:                                               ; preds = %62, %32, %13, %2
  %73 = phi i64 [ %6, %2 ], [ %6, %13 ], [ %70, %32 ], [ %70, %62 ]
  %74 = load i64, ptr %3, align 8
  %75 = sub i64 %74, %73
  ret i64 %75
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

define internal fastcc void @store(ptr nocapture noundef %0, ptr noundef %1, i64 noundef %2) unnamed_addr #2 {
  %4 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 12
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 13
  %7 = load ptr, ptr %6, align 8
  %8 = icmp eq i64 %2, 0
  br i1 %8, label %118, label %9

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

51:                                               ; preds = %115
  %52 = load i64, ptr @WORDS, align 8
  %53 = icmp eq i64 %52, 0
  %54 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 5
  %55 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 4
  %56 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 3
  %57 = icmp eq i64 %52, 0
  %58 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 1
  %59 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 10
  br label %119

60:                                               ; preds = %14, %115
  %61 = phi i64 [ 0, %14 ], [ %116, %115 ]
  %62 = getelementptr inbounds i64, ptr %5, i64 %61
  %63 = load i64, ptr %62, align 8
  %64 = load ptr, ptr %15, align 8
  %65 = zext i64 %63 to i128
  %66 = load i64, ptr %16, align 8
  %67 = zext i64 %66 to i128
  %68 = mul nuw i128 %67, %65
  %69 = lshr i128 %68, 64
  %70 = trunc i128 %69 to i64
  %71 = shl i64 %70, 4
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
  br label %107

97:                                               ; preds = %60
  %98 = getelementptr inbounds i32, ptr %72, i64 15
  %99 = load i32, ptr %98, align 4
  %100 = icmp eq i32 %99, 0
  br i1 %100, label %107, label %101

101:                                              ; preds = %97
  %102 = add i64 %70, 1
  %103 = icmp eq i64 %102, %66
  %104 = shl i64 %102, 4
  %105 = select i1 %103, i64 0, i64 %104
  %106 = getelementptr inbounds i32, ptr %64, i64 %105
  tail call void @llvm.prefetch.p0(ptr %106, i32 1, i32 3, i32 1)
  br label %107

107:                                              ; preds = %89, %97, %101
  %108 = phi i64 [ %96, %89 ], [ -1, %101 ], [ -1, %97 ]
  %109 = getelementptr inbounds i64, ptr %7, i64 %61
  store i64 %108, ptr %109, align 8
  %110 = icmp eq i64 %108, -1
  br i1 %110, label %115, label %111

111:                                              ; preds = %107
  %112 = load ptr, ptr %0, align 8
  %113 = mul i64 %18, %108
  %114 = getelementptr inbounds i64, ptr %112, i64 %113
  tail call void @llvm.prefetch.p0(ptr %114, i32 0, i32 3, i32 1)
  br label %115

115:                                              ; preds = %107, %111
  %116 = add nuw i64 %61, 1
  %117 = icmp eq i64 %116, %2
  br i1 %117, label %51, label %60

118:                                              ; preds = %282, %3
  ret void

119:                                              ; preds = %51, %282
  %120 = phi i64 [ 0, %51 ], [ %283, %282 ]
  %121 = mul i64 %52, %120
  %122 = getelementptr inbounds i64, ptr %1, i64 %121
  %123 = getelementptr inbounds i64, ptr %7, i64 %120
  %124 = load i64, ptr %123, align 8
  %125 = icmp eq i64 %124, -1
  br i1 %125, label %147, label %126

126:                                              ; preds = %119
  %127 = load ptr, ptr %0, align 8
  %128 = mul i64 %124, %52
  %129 = getelementptr inbounds i64, ptr %127, i64 %128
  br i1 %53, label %144, label %133

130:                                              ; preds = %133
  %131 = icmp eq i64 %141, 0
  %132 = zext i1 %131 to i32
  br label %144

133:                                              ; preds = %126, %133
  %134 = phi i64 [ %142, %133 ], [ 0, %126 ]
  %135 = phi i64 [ %141, %133 ], [ 0, %126 ]
  %136 = getelementptr inbounds i64, ptr %129, i64 %134
  %137 = load i64, ptr %136, align 8
  %138 = getelementptr inbounds i64, ptr %122, i64 %134
  %139 = load i64, ptr %138, align 8
  %140 = xor i64 %139, %137
  %141 = or i64 %140, %135
  %142 = add nuw i64 %134, 1
  %143 = icmp eq i64 %142, %52
  br i1 %143, label %130, label %133

144:                                              ; preds = %126, %130
  %145 = phi i32 [ 1, %126 ], [ %132, %130 ]
  %146 = icmp eq i32 %145, 0
  br i1 %146, label %147, label %282

147:                                              ; preds = %144, %119
  %148 = getelementptr inbounds i64, ptr %5, i64 %120
  %149 = load i64, ptr %148, align 8
  %150 = load i64, ptr %54, align 8
  %151 = shl nsw i64 -1, %150
  %152 = trunc i64 %151 to i32
  %153 = xor i32 %152, -1
  %154 = zext i64 %149 to i128
  %155 = load i64, ptr %55, align 8
  %156 = zext i64 %155 to i128
  %157 = mul nuw i128 %156, %154
  %158 = lshr i128 %157, 64
  %159 = trunc i128 %158 to i64
  %160 = load ptr, ptr %56, align 8
  %161 = shl i64 %149, %150
  %162 = trunc i64 %161 to i32
  %163 = insertelement <16 x i32> poison, i32 %162, i64 0
  %164 = shufflevector <16 x i32> %163, <16 x i32> poison, <16 x i32> zeroinitializer
  %165 = insertelement <16 x i32> poison, i32 %153, i64 0
  %166 = shufflevector <16 x i32> %165, <16 x i32> poison, <16 x i32> zeroinitializer
  br label %167

167:                                              ; preds = %227, %147
  %168 = phi i64 [ %159, %147 ], [ %230, %227 ]
  %169 = phi i64 [ undef, %147 ], [ %226, %227 ]
  %170 = shl i64 %168, 4
  %171 = getelementptr inbounds i32, ptr %160, i64 %170
  %172 = load <16 x i32>, ptr %171, align 64
  %173 = xor <16 x i32> %172, %164
  %174 = add <16 x i32> %173, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %175 = icmp ult <16 x i32> %174, %166
  %176 = bitcast <16 x i1> %175 to i16
  %177 = icmp eq i16 %176, 0
  br i1 %177, label %216, label %178

178:                                              ; preds = %167
  %179 = zext i16 %176 to i32
  %180 = load ptr, ptr %0, align 8
  br label %181

181:                                              ; preds = %212, %178
  %182 = phi i1 [ false, %178 ], [ %215, %212 ]
  %183 = phi i64 [ %169, %178 ], [ %211, %212 ]
  %184 = phi i32 [ %179, %178 ], [ %214, %212 ]
  %185 = tail call i32 @llvm.cttz.i32(i32 %184, i1 true)
  %186 = zext i32 %185 to i64
  %187 = getelementptr inbounds i32, ptr %171, i64 %186
  %188 = load i32, ptr %187, align 4
  %189 = and i32 %188, %153
  %190 = add i32 %189, -1
  %191 = zext i32 %190 to i64
  %192 = mul i64 %52, %191
  %193 = getelementptr inbounds i64, ptr %180, i64 %192
  br i1 %57, label %208, label %197

194:                                              ; preds = %197
  %195 = icmp eq i64 %205, 0
  %196 = zext i1 %195 to i32
  br label %208

197:                                              ; preds = %181, %197
  %198 = phi i64 [ %206, %197 ], [ 0, %181 ]
  %199 = phi i64 [ %205, %197 ], [ 0, %181 ]
  %200 = getelementptr inbounds i64, ptr %193, i64 %198
  %201 = load i64, ptr %200, align 8
  %202 = getelementptr inbounds i64, ptr %122, i64 %198
  %203 = load i64, ptr %202, align 8
  %204 = xor i64 %203, %201
  %205 = or i64 %204, %199
  %206 = add nuw i64 %198, 1
  %207 = icmp eq i64 %206, %52
  br i1 %207, label %194, label %197

208:                                              ; preds = %194, %181
  %209 = phi i32 [ 1, %181 ], [ %196, %194 ]
  %210 = icmp eq i32 %209, 0
  %211 = select i1 %210, i64 %183, i64 %191
  br i1 %210, label %212, label %216

212:                                              ; preds = %208
  %213 = add i32 %184, -1
  %214 = and i32 %213, %184
  %215 = icmp eq i32 %214, 0
  br i1 %215, label %216, label %181

216:                                              ; preds = %212, %208, %167
  %217 = phi i1 [ %177, %167 ], [ %182, %208 ], [ %215, %212 ]
  %218 = phi i64 [ %169, %167 ], [ %211, %208 ], [ %211, %212 ]
  br i1 %217, label %219, label %224

219:                                              ; preds = %216
  %220 = getelementptr inbounds i32, ptr %171, i64 15
  %221 = load i32, ptr %220, align 4
  %222 = icmp ne i32 %221, 0
  %223 = select i1 %222, i64 %218, i64 -1
  br label %224

224:                                              ; preds = %219, %216
  %225 = phi i1 [ false, %216 ], [ %222, %219 ]
  %226 = phi i64 [ %218, %216 ], [ %223, %219 ]
  br i1 %225, label %227, label %231

227:                                              ; preds = %224
  %228 = add i64 %168, 1
  %229 = icmp eq i64 %228, %155
  %230 = select i1 %229, i64 0, i64 %228
  br label %167

231:                                              ; preds = %224
  %232 = icmp eq i64 %226, -1
  br i1 %232, label %233, label %282

233:                                              ; preds = %231
  %234 = load ptr, ptr %0, align 8
  %235 = load i64, ptr %58, align 8
  %236 = mul i64 %235, %52
  %237 = getelementptr i64, ptr %234, i64 %236
  br i1 %57, label %245, label %238

238:                                              ; preds = %233, %238
  %239 = phi i64 [ %243, %238 ], [ 0, %233 ]
  %240 = getelementptr inbounds i64, ptr %122, i64 %239
  %241 = load i64, ptr %240, align 8
  %242 = getelementptr inbounds i64, ptr %237, i64 %239
  store i64 %241, ptr %242, align 8
  %243 = add nuw i64 %239, 1
  %244 = icmp eq i64 %243, %52
  br i1 %244, label %245, label %238

245:                                              ; preds = %238, %233
  %246 = load i64, ptr %58, align 8
  %247 = add i64 %246, 1
  store i64 %247, ptr %58, align 8
  %248 = load i64, ptr %55, align 8
  %249 = zext i64 %248 to i128
  %250 = mul nuw i128 %249, %154
  %251 = lshr i128 %250, 64
  %252 = trunc i128 %251 to i64
  %253 = load i64, ptr %54, align 8
  %254 = load ptr, ptr %56, align 8
  %255 = shl i64 %252, 4
  %256 = getelementptr inbounds i32, ptr %254, i64 %255
  %257 = getelementptr inbounds i32, ptr %256, i64 15
  %258 = load i32, ptr %257, align 4
  %259 = icmp eq i32 %258, 0
  br i1 %259, label %270, label %260

260:                                              ; preds = %245, %260
  %261 = phi i64 [ %264, %260 ], [ %252, %245 ]
  %262 = add i64 %261, 1
  %263 = icmp eq i64 %262, %248
  %264 = select i1 %263, i64 0, i64 %262
  %265 = shl i64 %264, 4
  %266 = getelementptr inbounds i32, ptr %254, i64 %265
  %267 = getelementptr inbounds i32, ptr %266, i64 15
  %268 = load i32, ptr %267, align 4
  %269 = icmp eq i32 %268, 0
  br i1 %269, label %270, label %260

270:                                              ; preds = %260, %245
  %271 = phi ptr [ %256, %245 ], [ %266, %260 ]
  %272 = shl i64 %149, %253
  %273 = or i64 %272, %247
  %274 = trunc i64 %273 to i32
  %275 = load <16 x i32>, ptr %271, align 64
  %276 = icmp eq <16 x i32> %275, zeroinitializer
  %277 = bitcast <16 x i1> %276 to i16
  %278 = tail call i16 @llvm.cttz.i16(i16 %277, i1 true)
  %279 = zext i16 %278 to i64
  %280 = getelementptr inbounds i32, ptr %271, i64 %279
  store i32 %274, ptr %280, align 4
  %281 = load ptr, ptr %59, align 8
  tail call void @check(ptr noundef %122, ptr noundef %281) #8
  br label %282

282:                                              ; preds = %231, %270, %144
  %283 = add nuw i64 %120, 1
  %284 = icmp eq i64 %283, %2
  br i1 %284, label %118, label %119
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

define void @store_initial(ptr nocapture noundef %0, i64 noundef %1) #0 {
  %3 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 11
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq i64 %1, 0
  br i1 %5, label %13, label %6

6:                                                ; preds = %2
  %7 = load i64, ptr @WORDS, align 8
  %8 = load i64, ptr @REDUCED, align 8
  %9 = icmp eq i64 %8, 0
  %10 = icmp eq i64 %7, 0
  %11 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 15
  %12 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 14
  br label %22

13:                                               ; preds = %52, %2
  %14 = phi ptr [ %4, %2 ], [ %62, %52 ]
  %15 = load ptr, ptr %3, align 8
  %16 = ptrtoint ptr %14 to i64
  %17 = ptrtoint ptr %15 to i64
  %18 = sub i64 %16, %17
  %19 = ashr exact i64 %18, 3
  %20 = load i64, ptr @WORDS, align 8
  %21 = udiv i64 %19, %20
  tail call fastcc void @store(ptr noundef %0, ptr noundef %15, i64 noundef %21)
  ret void

22:                                               ; preds = %6, %52
  %23 = phi ptr [ %4, %6 ], [ %62, %52 ]
  %24 = phi i64 [ 0, %6 ], [ %63, %52 ]
  %25 = load ptr, ptr %3, align 8
  %26 = mul i64 %7, %24
  %27 = getelementptr i64, ptr %25, i64 %26
  br i1 %9, label %29, label %28

28:                                               ; preds = %22
  tail call void @canonicalise(ptr noundef %27) #8
  br label %29

29:                                               ; preds = %28, %22
  br i1 %10, label %52, label %30

30:                                               ; preds = %29, %30
  %31 = phi i64 [ %35, %30 ], [ 0, %29 ]
  %32 = getelementptr inbounds i64, ptr %27, i64 %31
  %33 = load i64, ptr %32, align 8
  %34 = getelementptr inbounds i64, ptr %23, i64 %31
  store i64 %33, ptr %34, align 8
  %35 = add nuw i64 %31, 1
  %36 = icmp eq i64 %35, %7
  br i1 %36, label %37, label %30

37:                                               ; preds = %30
  br i1 %10, label %52, label %38

38:                                               ; preds = %37, %38
  %39 = phi i64 [ %50, %38 ], [ 0, %37 ]
  %40 = phi i64 [ %49, %38 ], [ 0, %37 ]
  %41 = getelementptr inbounds i64, ptr %27, i64 %39
  %42 = load i64, ptr %41, align 8
  %43 = xor i64 %42, %40
  %44 = mul i64 %43, -4658895280553007687
  %45 = lshr i64 %44, 32
  %46 = xor i64 %45, %44
  %47 = mul i64 %46, -7723592293110705685
  %48 = lshr i64 %47, 29
  %49 = xor i64 %48, %47
  %50 = add nuw i64 %39, 1
  %51 = icmp eq i64 %50, %7
  br i1 %51, label %52, label %38

52:                                               ; preds = %38, %29, %37
  %53 = phi i64 [ 0, %37 ], [ 0, %29 ], [ %49, %38 ]
  %54 = lshr i64 %53, 20
  %55 = and i64 %54, 65535
  %56 = load i64, ptr %11, align 8
  %57 = mul i64 %55, %56
  %58 = lshr i64 %57, 16
  %59 = load i64, ptr %12, align 8
  %60 = icmp eq i64 %58, %59
  %61 = select i1 %60, i64 %7, i64 0
  %62 = getelementptr i64, ptr %23, i64 %61
  %63 = add nuw i64 %24, 1
  %64 = icmp eq i64 %63, %1
  br i1 %64, label %13, label %22
}

declare void @canonicalise(ptr noundef) local_unnamed_addr

define i64 @send(ptr nocapture noundef %0) #0 {
  %2 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 15
  %3 = load i64, ptr %2, align 8
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %7, label %5

5:                                                ; preds = %1
  %6 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 18
  br label %39

7:                                                ; preds = %39, %1
  %8 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 15
  %9 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 1
  %10 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 6
  %11 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 7
  %12 = load i64, ptr %10, align 8
  %13 = load i64, ptr %11, align 8
  %14 = icmp ugt i64 %13, %12
  br i1 %14, label %15, label %169

15:                                               ; preds = %7
  %16 = load i64, ptr @BATCH, align 8
  %17 = load i64, ptr @INSTANCES, align 8
  %18 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 2
  %19 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 17
  %20 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 11
  %21 = load i64, ptr @WORDS, align 8
  %22 = mul i64 %21, %16
  %23 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 8
  %24 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 9
  %25 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 10
  %26 = load i64, ptr @REDUCED, align 8
  %27 = icmp ne i64 %26, 0
  %28 = icmp eq i64 %21, 0
  %29 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 14
  %30 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 16
  %31 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 18
  %32 = load i64, ptr %9, align 8
  %33 = add i64 %16, %32
  %34 = add i64 %33, %17
  %35 = load i64, ptr %18, align 8
  %36 = icmp ugt i64 %34, %35
  br i1 %36, label %169, label %37

37:                                               ; preds = %15
  %38 = icmp sgt i64 %22, 0
  br label %52

39:                                               ; preds = %5, %39
  %40 = phi i64 [ 0, %5 ], [ %43, %39 ]
  %41 = load ptr, ptr %6, align 8
  %42 = getelementptr inbounds i64, ptr %41, i64 %40
  store i64 0, ptr %42, align 8
  %43 = add nuw i64 %40, 1
  %44 = load i64, ptr %2, align 8
  %45 = icmp ult i64 %43, %44
  br i1 %45, label %39, label %7

46:                                               ; preds = %157
  %47 = load i64, ptr %9, align 8
  %48 = add i64 %16, %47
  %49 = add i64 %48, %17
  %50 = load i64, ptr %18, align 8
  %51 = icmp ugt i64 %49, %50
  br i1 %51, label %169, label %52

52:                                               ; preds = %37, %46
  %53 = phi i64 [ %158, %46 ], [ 0, %37 ]
  %54 = phi i64 [ %166, %46 ], [ %12, %37 ]
  %55 = phi i64 [ %167, %46 ], [ %13, %37 ]
  %56 = add i64 %17, %53
  %57 = load i64, ptr %19, align 8
  %58 = icmp ugt i64 %56, %57
  br i1 %58, label %169, label %59

59:                                               ; preds = %52
  %60 = load ptr, ptr %20, align 8
  %61 = getelementptr inbounds i64, ptr %60, i64 %22
  br i1 %38, label %62, label %157

62:                                               ; preds = %59, %153
  %63 = phi ptr [ %155, %153 ], [ %60, %59 ]
  %64 = phi i64 [ %154, %153 ], [ %53, %59 ]
  %65 = load i64, ptr %10, align 8
  %66 = load i64, ptr %11, align 8
  %67 = icmp ult i64 %65, %66
  br i1 %67, label %68, label %157

68:                                               ; preds = %62
  %69 = add i64 %64, %17
  %70 = load i64, ptr %19, align 8
  %71 = icmp ugt i64 %69, %70
  br i1 %71, label %157, label %72

72:                                               ; preds = %68
  %73 = add i64 %65, 1
  store i64 %73, ptr %10, align 8
  %74 = load ptr, ptr %0, align 8
  %75 = mul i64 %65, %21
  %76 = getelementptr inbounds i64, ptr %74, i64 %75
  %77 = load ptr, ptr %23, align 8
  %78 = load ptr, ptr %24, align 8
  %79 = load ptr, ptr %25, align 8
  %80 = tail call ptr @expand(ptr noundef %76, ptr noundef %63, ptr noundef %77, ptr noundef %78, ptr noundef %79) #8
  %81 = icmp ugt ptr %80, %63
  %82 = select i1 %27, i1 %81, i1 false
  br i1 %82, label %83, label %87

83:                                               ; preds = %72, %83
  %84 = phi ptr [ %85, %83 ], [ %63, %72 ]
  tail call void @canonicalise(ptr noundef %84) #8
  %85 = getelementptr inbounds i64, ptr %84, i64 %21
  %86 = icmp ult ptr %85, %80
  br i1 %86, label %83, label %87

87:                                               ; preds = %83, %72
  br i1 %81, label %88, label %153

88:                                               ; preds = %87, %140
  %89 = phi i64 [ %148, %140 ], [ %64, %87 ]
  %90 = phi ptr [ %150, %140 ], [ %63, %87 ]
  %91 = phi ptr [ %151, %140 ], [ %63, %87 ]
  br i1 %28, label %106, label %92

92:                                               ; preds = %88, %92
  %93 = phi i64 [ %104, %92 ], [ 0, %88 ]
  %94 = phi i64 [ %103, %92 ], [ 0, %88 ]
  %95 = getelementptr inbounds i64, ptr %91, i64 %93
  %96 = load i64, ptr %95, align 8
  %97 = xor i64 %96, %94
  %98 = mul i64 %97, -4658895280553007687
  %99 = lshr i64 %98, 32
  %100 = xor i64 %99, %98
  %101 = mul i64 %100, -7723592293110705685
  %102 = lshr i64 %101, 29
  %103 = xor i64 %102, %101
  %104 = add nuw i64 %93, 1
  %105 = icmp eq i64 %104, %21
  br i1 %105, label %106, label %92

106:                                              ; preds = %92, %88
  %107 = phi i64 [ 0, %88 ], [ %103, %92 ]
  %108 = lshr i64 %107, 20
  %109 = and i64 %108, 65535
  %110 = load i64, ptr %8, align 8
  %111 = mul i64 %109, %110
  %112 = lshr i64 %111, 16
  %113 = load i64, ptr %29, align 8
  %114 = icmp ne i64 %112, %113
  %115 = zext i1 %114 to i64
  %116 = load ptr, ptr %30, align 8
  %117 = load i64, ptr %19, align 8
  %118 = mul i64 %112, %117
  %119 = load ptr, ptr %31, align 8
  %120 = getelementptr inbounds i64, ptr %119, i64 %112
  %121 = load i64, ptr %120, align 8
  %122 = add i64 %121, %118
  %123 = mul i64 %122, %21
  %124 = getelementptr i64, ptr %116, i64 %123
  br i1 %28, label %140, label %125

125:                                              ; preds = %106, %125
  %126 = phi i64 [ %130, %125 ], [ 0, %106 ]
  %127 = getelementptr inbounds i64, ptr %91, i64 %126
  %128 = load i64, ptr %127, align 8
  %129 = getelementptr inbounds i64, ptr %124, i64 %126
  store i64 %128, ptr %129, align 8
  %130 = add nuw i64 %126, 1
  %131 = icmp eq i64 %130, %21
  br i1 %131, label %132, label %125

132:                                              ; preds = %125
  br i1 %28, label %140, label %133

133:                                              ; preds = %132, %133
  %134 = phi i64 [ %138, %133 ], [ 0, %132 ]
  %135 = getelementptr inbounds i64, ptr %91, i64 %134
  %136 = load i64, ptr %135, align 8
  %137 = getelementptr inbounds i64, ptr %90, i64 %134
  store i64 %136, ptr %137, align 8
  %138 = add nuw i64 %134, 1
  %139 = icmp eq i64 %138, %21
  br i1 %139, label %140, label %133

140:                                              ; preds = %133, %132, %106
  %141 = load ptr, ptr %31, align 8
  %142 = getelementptr inbounds i64, ptr %141, i64 %112
  %143 = load i64, ptr %142, align 8
  %144 = add i64 %143, %115
  store i64 %144, ptr %142, align 8
  %145 = load ptr, ptr %31, align 8
  %146 = getelementptr inbounds i64, ptr %145, i64 %112
  %147 = load i64, ptr %146, align 8
  %148 = tail call i64 @llvm.umax.i64(i64 %147, i64 %89)
  %149 = select i1 %114, i64 0, i64 %21
  %150 = getelementptr inbounds i64, ptr %90, i64 %149
  %151 = getelementptr inbounds i64, ptr %91, i64 %21
  %152 = icmp ult ptr %151, %80
  br i1 %152, label %88, label %153

153:                                              ; preds = %140, %87
  %154 = phi i64 [ %64, %87 ], [ %148, %140 ]
  %155 = phi ptr [ %63, %87 ], [ %150, %140 ]
  %156 = icmp ult ptr %155, %61
  br i1 %156, label %62, label %157

157:                                              ; preds = %68, %153, %62, %59
  %158 = phi i64 [ %53, %59 ], [ %64, %68 ], [ %154, %153 ], [ %64, %62 ]
  %159 = phi ptr [ %60, %59 ], [ %63, %68 ], [ %155, %153 ], [ %63, %62 ]
  %160 = load ptr, ptr %20, align 8
  %161 = ptrtoint ptr %159 to i64
  %162 = ptrtoint ptr %160 to i64
  %163 = sub i64 %161, %162
  %164 = ashr exact i64 %163, 3
  %165 = udiv i64 %164, %21
  tail call fastcc void @store(ptr noundef %0, ptr noundef %160, i64 noundef %165)
  %166 = load i64, ptr %10, align 8
  %167 = load i64, ptr %11, align 8
  %168 = icmp ugt i64 %167, %166
  br i1 %168, label %46, label %169

169:                                              ; preds = %46, %157, %52, %15, %7
  %170 = phi i64 [ %12, %7 ], [ %12, %15 ], [ %54, %52 ], [ %166, %157 ], [ %166, %46 ]
  %171 = phi i64 [ %13, %7 ], [ %13, %15 ], [ %55, %52 ], [ %167, %157 ], [ %167, %46 ]
  %172 = sub i64 %171, %170
  ret i64 %172
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
  br i1 %5, label %6, label %177

6:                                                ; preds = %4
  %7 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 11
  %8 = load i64, ptr @WORDS, align 8
  %9 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 8
  %10 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 9
  %11 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 10
  %12 = load i64, ptr @REDUCED, align 8
  %13 = icmp ne i64 %12, 0
  %14 = icmp eq i64 %8, 0
  %15 = getelementptr inbounds %struct.Shard, ptr %0, i64 0, i32 15
  br label %19

16:                                               ; preds = %174
  %17 = add nuw i64 %21, 1
  %18 = icmp eq i64 %17, %2
  br i1 %18, label %177, label %19

19:                                               ; preds = %6, %16
  %20 = phi i64 [ undef, %6 ], [ %176, %16 ]
  %21 = phi i64 [ %1, %6 ], [ %17, %16 ]
  %22 = load ptr, ptr %7, align 8
  %23 = load ptr, ptr %0, align 8
  %24 = mul i64 %8, %21
  %25 = getelementptr inbounds i64, ptr %23, i64 %24
  %26 = load ptr, ptr %9, align 8
  %27 = load ptr, ptr %10, align 8
  %28 = load ptr, ptr %11, align 8
  %29 = tail call ptr @expand(ptr noundef %25, ptr noundef %22, ptr noundef %26, ptr noundef %27, ptr noundef %28) #8
  %30 = icmp ugt ptr %29, %22
  %31 = select i1 %13, i1 %30, i1 false
  br i1 %31, label %32, label %36

32:                                               ; preds = %19, %32
  %33 = phi ptr [ %34, %32 ], [ %22, %19 ]
  tail call void @canonicalise(ptr noundef %33) #8
  %34 = getelementptr inbounds i64, ptr %33, i64 %8
  %35 = icmp ult ptr %34, %29
  br i1 %35, label %32, label %36

36:                                               ; preds = %32, %19
  %37 = icmp ult ptr %22, %29
  br i1 %37, label %38, label %174

38:                                               ; preds = %36
  %39 = load i64, ptr %15, align 8
  br label %40

40:                                               ; preds = %38, %171
  %41 = phi i1 [ %37, %38 ], [ %173, %171 ]
  %42 = phi i64 [ %20, %38 ], [ %170, %171 ]
  %43 = phi ptr [ %22, %38 ], [ %172, %171 ]
  br i1 %14, label %58, label %44

44:                                               ; preds = %40, %44
  %45 = phi i64 [ %56, %44 ], [ 0, %40 ]
  %46 = phi i64 [ %55, %44 ], [ 0, %40 ]
  %47 = getelementptr inbounds i64, ptr %43, i64 %45
  %48 = load i64, ptr %47, align 8
  %49 = xor i64 %48, %46
  %50 = mul i64 %49, -4658895280553007687
  %51 = lshr i64 %50, 32
  %52 = xor i64 %51, %50
  %53 = mul i64 %52, -7723592293110705685
  %54 = lshr i64 %53, 29
  %55 = xor i64 %54, %53
  %56 = add nuw i64 %45, 1
  %57 = icmp eq i64 %56, %8
  br i1 %57, label %58, label %44

58:                                               ; preds = %44, %40
  %59 = phi i64 [ 0, %40 ], [ %55, %44 ]
  %60 = lshr i64 %59, 20
  %61 = and i64 %60, 65535
  %62 = mul i64 %61, %39
  %63 = lshr i64 %62, 16
  %64 = getelementptr inbounds ptr, ptr %3, i64 %63
  %65 = load ptr, ptr %64, align 8
  %66 = getelementptr inbounds %struct.Shard, ptr %65, i64 0, i32 5
  %67 = load i64, ptr %66, align 8
  %68 = shl nsw i64 -1, %67
  %69 = trunc i64 %68 to i32
  %70 = xor i32 %69, -1
  %71 = zext i64 %59 to i128
  %72 = getelementptr inbounds %struct.Shard, ptr %65, i64 0, i32 4
  %73 = load i64, ptr %72, align 8
  %74 = zext i64 %73 to i128
  %75 = mul nuw i128 %74, %71
  %76 = lshr i128 %75, 64
  %77 = trunc i128 %76 to i64
  %78 = getelementptr inbounds %struct.Shard, ptr %65, i64 0, i32 3
  %79 = load ptr, ptr %78, align 8
  %80 = shl i64 %59, %67
  %81 = trunc i64 %80 to i32
  %82 = insertelement <16 x i32> poison, i32 %81, i64 0
  %83 = shufflevector <16 x i32> %82, <16 x i32> poison, <16 x i32> zeroinitializer
  %84 = insertelement <16 x i32> poison, i32 %70, i64 0
  %85 = shufflevector <16 x i32> %84, <16 x i32> poison, <16 x i32> zeroinitializer
  br label %86

86:                                               ; preds = %146, %58
  %87 = phi i64 [ %77, %58 ], [ %149, %146 ]
  %88 = phi i64 [ undef, %58 ], [ %145, %146 ]
  %89 = shl i64 %87, 4
  %90 = getelementptr inbounds i32, ptr %79, i64 %89
  %91 = load <16 x i32>, ptr %90, align 64
  %92 = xor <16 x i32> %91, %83
  %93 = add <16 x i32> %92, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %94 = icmp ult <16 x i32> %93, %85
  %95 = bitcast <16 x i1> %94 to i16
  %96 = icmp eq i16 %95, 0
  br i1 %96, label %135, label %97

97:                                               ; preds = %86
  %98 = zext i16 %95 to i32
  %99 = load ptr, ptr %65, align 8
  br label %100

100:                                              ; preds = %131, %97
  %101 = phi i1 [ false, %97 ], [ %134, %131 ]
  %102 = phi i64 [ %88, %97 ], [ %130, %131 ]
  %103 = phi i32 [ %98, %97 ], [ %133, %131 ]
  %104 = tail call i32 @llvm.cttz.i32(i32 %103, i1 true)
  %105 = zext i32 %104 to i64
  %106 = getelementptr inbounds i32, ptr %90, i64 %105
  %107 = load i32, ptr %106, align 4
  %108 = and i32 %107, %70
  %109 = add i32 %108, -1
  %110 = zext i32 %109 to i64
  %111 = mul i64 %8, %110
  %112 = getelementptr inbounds i64, ptr %99, i64 %111
  br i1 %14, label %127, label %116

113:                                              ; preds = %116
  %114 = icmp eq i64 %124, 0
  %115 = zext i1 %114 to i32
  br label %127

116:                                              ; preds = %100, %116
  %117 = phi i64 [ %125, %116 ], [ 0, %100 ]
  %118 = phi i64 [ %124, %116 ], [ 0, %100 ]
  %119 = getelementptr inbounds i64, ptr %112, i64 %117
  %120 = load i64, ptr %119, align 8
  %121 = getelementptr inbounds i64, ptr %43, i64 %117
  %122 = load i64, ptr %121, align 8
  %123 = xor i64 %122, %120
  %124 = or i64 %123, %118
  %125 = add nuw i64 %117, 1
  %126 = icmp eq i64 %125, %8
  br i1 %126, label %113, label %116

127:                                              ; preds = %113, %100
  %128 = phi i32 [ 1, %100 ], [ %115, %113 ]
  %129 = icmp eq i32 %128, 0
  %130 = select i1 %129, i64 %102, i64 %110
  br i1 %129, label %131, label %135

131:                                              ; preds = %127
  %132 = add i32 %103, -1
  %133 = and i32 %132, %103
  %134 = icmp eq i32 %133, 0
  br i1 %134, label %135, label %100

135:                                              ; preds = %131, %127, %86
  %136 = phi i1 [ %96, %86 ], [ %101, %127 ], [ %134, %131 ]
  %137 = phi i64 [ %88, %86 ], [ %130, %127 ], [ %130, %131 ]
  br i1 %136, label %138, label %143

138:                                              ; preds = %135
  %139 = getelementptr inbounds i32, ptr %90, i64 15
  %140 = load i32, ptr %139, align 4
  %141 = icmp ne i32 %140, 0
  %142 = select i1 %141, i64 %137, i64 -1
  br label %143

143:                                              ; preds = %138, %135
  %144 = phi i1 [ false, %135 ], [ %141, %138 ]
  %145 = phi i64 [ %137, %135 ], [ %142, %138 ]
  br i1 %144, label %146, label %150

146:                                              ; preds = %143
  %147 = add i64 %87, 1
  %148 = icmp eq i64 %147, %73
  %149 = select i1 %148, i64 0, i64 %147
  br label %86

150:                                              ; preds = %143
  %151 = icmp eq i64 %145, -1
  br i1 %151, label %167, label %152

152:                                              ; preds = %150
  %153 = getelementptr inbounds %struct.Shard, ptr %65, i64 0, i32 20
  %154 = load i64, ptr %153, align 8
  %155 = icmp ult i64 %145, %154
  br i1 %155, label %167, label %156

156:                                              ; preds = %152
  %157 = getelementptr inbounds %struct.Shard, ptr %65, i64 0, i32 21
  %158 = load i64, ptr %157, align 8
  %159 = icmp ult i64 %145, %158
  br i1 %159, label %160, label %167

160:                                              ; preds = %156
  %161 = getelementptr inbounds %struct.Shard, ptr %65, i64 0, i32 19
  %162 = load ptr, ptr %161, align 8
  %163 = sub i64 %145, %154
  %164 = getelementptr inbounds i8, ptr %162, i64 %163
  %165 = load i8, ptr %164, align 1
  %166 = icmp eq i8 %165, 0
  br i1 %166, label %167, label %168

167:                                              ; preds = %160, %156, %152, %150
  br label %168

168:                                              ; preds = %160, %167
  %169 = phi i1 [ true, %167 ], [ false, %160 ]
  %170 = phi i64 [ %42, %167 ], [ %21, %160 ]
  br i1 %169, label %171, label %174

171:                                              ; preds = %168
  %172 = getelementptr inbounds i64, ptr %43, i64 %8
  %173 = icmp ult ptr %172, %29
  br i1 %173, label %40, label %174

174:                                              ; preds = %168, %171, %36
  %175 = phi i1 [ %37, %36 ], [ %41, %168 ], [ %173, %171 ]
  %176 = phi i64 [ %20, %36 ], [ %170, %171 ], [ %170, %168 ]
  br i1 %175, label %177, label %16

177:                                              ; preds = %174, %16, %4
  %178 = phi i64 [ -1, %4 ], [ %176, %174 ], [ -1, %16 ]
  ret i64 %178
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

declare i64 @llvm.umax.i64(i64, i64) #7

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind }
attributes #4 = { nofree nosync nounwind }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #6 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nounwind }
