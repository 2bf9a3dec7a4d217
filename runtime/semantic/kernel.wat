;; The inner loops of search by meaning, with SIMD. `make kernel` compiles this text to kernel.wasm; a test checks that both agree.
;; Rows are signed bytes, row after row, each of $width bytes; $width is a multiple of 16. All pointers are addresses in bytes.
(module
  (import "env" "memory" (memory 1))

  ;; out[c] = sum over i < count of weights[i] * rows[index[i]][c], for every column c < width
  (func (export "sumRows")
    (param $rows i32) (param $index i32) (param $weights i32) (param $count i32) (param $width i32) (param $out i32)
    (local $column i32) (local $i i32) (local $weight v128) (local $bytes v128) (local $half v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $columns
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (v128.const f32x4 0 0 0 0))
      (local.set $c (v128.const f32x4 0 0 0 0))
      (local.set $d (v128.const f32x4 0 0 0 0))
      (local.set $i (i32.const 0))
      (block $done
        (loop $next
          (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
          (local.set $bytes (v128.load (i32.add (i32.add (local.get $rows) (local.get $column))
            (i32.mul (local.get $width) (i32.load (i32.add (local.get $index) (i32.shl (local.get $i) (i32.const 2))))))))
          (local.set $weight (v128.load32_splat (i32.add (local.get $weights) (i32.shl (local.get $i) (i32.const 2)))))
          (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $weight)
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $weight)
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $weight)
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $weight)
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $next)))
      (v128.store (local.get $out) (local.get $a))
      (v128.store offset=16 (local.get $out) (local.get $b))
      (v128.store offset=32 (local.get $out) (local.get $c))
      (v128.store offset=48 (local.get $out) (local.get $d))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (local.set $column (i32.add (local.get $column) (i32.const 16)))
      (br_if $columns (i32.lt_u (local.get $column) (local.get $width)))))

  ;; out[i] = scales[index[i]] * sum over c of rows[index[i]][c] * x[c], for every i < count
  (func (export "dotRows")
    (param $rows i32) (param $scales i32) (param $index i32) (param $count i32) (param $width i32) (param $x i32) (param $out i32)
    (local $i i32) (local $row i32) (local $end i32) (local $at i32) (local $number i32) (local $bytes v128) (local $half v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $number (i32.load (i32.add (local.get $index) (i32.shl (local.get $i) (i32.const 2)))))
        (local.set $row (i32.add (local.get $rows) (i32.mul (local.get $width) (local.get $number))))
        (local.set $end (i32.add (local.get $row) (local.get $width)))
        (local.set $at (local.get $x))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (loop $columns
          (local.set $bytes (v128.load (local.get $row)))
          (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $at))
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul (v128.load offset=16 (local.get $at))
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul (v128.load offset=32 (local.get $at))
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul (v128.load offset=48 (local.get $at))
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (br_if $columns (i32.lt_u (local.get $row) (local.get $end))))
        (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (i32.add (local.get $out) (i32.shl (local.get $i) (i32.const 2)))
          (f32.mul (f32.load (i32.add (local.get $scales) (i32.shl (local.get $number) (i32.const 2))))
            (f32.add (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
              (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a))))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next))))

  ;; out[i] (32 bits) = sum over c of rows[i][c] * x[c], for every i < count. The members of x have 16 bits and must be so
  ;; small that no sum needs more than 32 bits.
  (func (export "multiplyRows")
    (param $rows i32) (param $count i32) (param $width i32) (param $x i32) (param $out i32)
    (local $end i32) (local $stop i32) (local $at i32) (local $bytes v128) (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $rows) (i32.mul (local.get $count) (local.get $width))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $stop (i32.add (local.get $rows) (local.get $width)))
        (local.set $at (local.get $x))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (loop $columns
          (local.set $bytes (v128.load (local.get $rows)))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $at)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $columns (i32.lt_u (local.get $rows) (local.get $stop))))
        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (i32.store (local.get $out) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
          (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next))))

  ;; distances[i] (16 bits) = number of bits in which codes[i] and query differ, or 8 * width + 1 where the byte closed[i] is not 0;
  ;; counts[distance] (32 bits) grows by one for each code. A code has $width bytes.
  (func (export "compareBits")
    (param $codes i32) (param $count i32) (param $width i32) (param $query i32) (param $closed i32) (param $distances i32) (param $counts i32)
    (local $end i32) (local $at i32) (local $stop i32) (local $sum v128) (local $slot i32) (local $distance i32) (local $never i32)
    (local $first v128) (local $second v128) (local $a v128) (local $b v128) (local $left v128)
    (local.set $never (i32.add (i32.shl (local.get $width) (i32.const 3)) (i32.const 1)))
    (local.set $end (i32.add (local.get $closed) (local.get $count)))
    (local.set $first (v128.load (local.get $query)))
    (local.set $second (v128.load offset=16 (local.get $query)))
    (local.set $left (i32x4.splat (local.get $never)))
    ;; Codes of 256 bits, four at a time: the bytes of two codes are put side by side before neighbours are added, until there is one
    ;; number for each of the four.
    (block $done
      (br_if $done (i32.ne (local.get $width) (i32.const 32)))
      (loop $next
        (br_if $done (i32.gt_u (i32.add (local.get $closed) (i32.const 4)) (local.get $end)))
        (local.set $a (i16x8.extadd_pairwise_i8x16_u (i8x16.narrow_i16x8_u
          (i16x8.extadd_pairwise_i8x16_u (i8x16.add
            (i8x16.popcnt (v128.xor (v128.load offset=0 (local.get $codes)) (local.get $first)))
            (i8x16.popcnt (v128.xor (v128.load offset=16 (local.get $codes)) (local.get $second)))))
          (i16x8.extadd_pairwise_i8x16_u (i8x16.add
            (i8x16.popcnt (v128.xor (v128.load offset=32 (local.get $codes)) (local.get $first)))
            (i8x16.popcnt (v128.xor (v128.load offset=48 (local.get $codes)) (local.get $second))))))))
        (local.set $b (i16x8.extadd_pairwise_i8x16_u (i8x16.narrow_i16x8_u
          (i16x8.extadd_pairwise_i8x16_u (i8x16.add
            (i8x16.popcnt (v128.xor (v128.load offset=64 (local.get $codes)) (local.get $first)))
            (i8x16.popcnt (v128.xor (v128.load offset=80 (local.get $codes)) (local.get $second)))))
          (i16x8.extadd_pairwise_i8x16_u (i8x16.add
            (i8x16.popcnt (v128.xor (v128.load offset=96 (local.get $codes)) (local.get $first)))
            (i8x16.popcnt (v128.xor (v128.load offset=112 (local.get $codes)) (local.get $second))))))))
        (local.set $sum (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u
          (i8x16.narrow_i16x8_u (local.get $a) (local.get $b)))))
        (local.set $sum (v128.bitselect (local.get $left) (local.get $sum)
          (i32x4.ne (v128.const i32x4 0 0 0 0)
            (i32x4.extend_low_i16x8_u (i16x8.extend_low_i8x16_u (v128.load32_zero (local.get $closed)))))))
        (v128.store64_lane 0 (local.get $distances) (i16x8.narrow_i32x4_u (local.get $sum) (local.get $sum)))
        (local.set $slot (i32.add (local.get $counts) (i32.shl (i32x4.extract_lane 0 (local.get $sum)) (i32.const 2))))
        (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))
        (local.set $slot (i32.add (local.get $counts) (i32.shl (i32x4.extract_lane 1 (local.get $sum)) (i32.const 2))))
        (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))
        (local.set $slot (i32.add (local.get $counts) (i32.shl (i32x4.extract_lane 2 (local.get $sum)) (i32.const 2))))
        (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))
        (local.set $slot (i32.add (local.get $counts) (i32.shl (i32x4.extract_lane 3 (local.get $sum)) (i32.const 2))))
        (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))
        (local.set $codes (i32.add (local.get $codes) (i32.const 128)))
        (local.set $closed (i32.add (local.get $closed) (i32.const 4)))
        (local.set $distances (i32.add (local.get $distances) (i32.const 8)))
        (br $next)))
    ;; Codes of any width, one by one.
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $closed) (local.get $end)))
        (local.set $stop (i32.add (local.get $codes) (local.get $width)))
        (local.set $at (local.get $query))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (loop $bytes
          (local.set $sum (i16x8.add (local.get $sum) (i16x8.extadd_pairwise_i8x16_u
            (i8x16.popcnt (v128.xor (v128.load (local.get $codes)) (v128.load (local.get $at)))))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $codes (i32.add (local.get $codes) (i32.const 16)))
          (br_if $bytes (i32.lt_u (local.get $codes) (local.get $stop))))
        (local.set $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sum)))
        (local.set $sum (i64x2.add (local.get $sum) (i64x2.shr_u (local.get $sum) (i32.const 32))))
        (local.set $distance (select (local.get $never)
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 2 (local.get $sum)))
          (i32.load8_u (local.get $closed))))
        (local.set $closed (i32.add (local.get $closed) (i32.const 1)))
        (i32.store16 (local.get $distances) (local.get $distance))
        (local.set $distances (i32.add (local.get $distances) (i32.const 2)))
        (local.set $slot (i32.add (local.get $counts) (i32.shl (local.get $distance) (i32.const 2))))
        (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))
        (br $next))))

  ;; Writes every i < count with distances[i] <= farthest to out (32 bits each), in their order, and returns how many these are. It looks
  ;; at eight distances at once: the memory behind the last one must be readable.
  (func (export "collectNear")
    (param $distances i32) (param $count i32) (param $farthest i32) (param $out i32) (result i32)
    (local $i i32) (local $from i32) (local $bits i32) (local $most v128) (local $place i32)
    (local.set $from (local.get $out))
    (local.set $most (i16x8.splat (local.get $farthest)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $bits (i16x8.bitmask (i16x8.le_u
          (v128.load (i32.add (local.get $distances) (i32.shl (local.get $i) (i32.const 1)))) (local.get $most))))
        (block $none
          (loop $bit
            (br_if $none (i32.eqz (local.get $bits)))
            (local.set $place (i32.add (local.get $i) (i32.ctz (local.get $bits))))
            (br_if $none (i32.ge_u (local.get $place) (local.get $count)))
            (i32.store (local.get $out) (local.get $place))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
            (br $bit)))
        (local.set $i (i32.add (local.get $i) (i32.const 8)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $from)) (i32.const 2)))

  ;; out[i] (float) = sum over the bytes b of codes[slots[i]] of tables[b][value of the byte], for every i < count. There are 256 floats for
  ;; each byte of a code.
  (func (export "addTables")
    (param $codes i32) (param $width i32) (param $slots i32) (param $count i32) (param $tables i32) (param $out i32)
    (local $i i32) (local $at i32) (local $end i32) (local $table i32) (local $sum f32) (local $other f32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $at (i32.add (local.get $codes) (i32.mul (local.get $width)
          (i32.load (i32.add (local.get $slots) (i32.shl (local.get $i) (i32.const 2)))))))
        (local.set $end (i32.add (local.get $at) (local.get $width)))
        (local.set $table (local.get $tables))
        (local.set $sum (f32.const 0))
        (local.set $other (f32.const 0))
        (loop $bytes
          (local.set $sum (f32.add (local.get $sum)
            (f32.load (i32.add (local.get $table) (i32.shl (i32.load8_u (local.get $at)) (i32.const 2))))))
          (local.set $other (f32.add (local.get $other)
            (f32.load offset=1024 (i32.add (local.get $table) (i32.shl (i32.load8_u offset=1 (local.get $at)) (i32.const 2))))))
          (local.set $table (i32.add (local.get $table) (i32.const 2048)))
          (local.set $at (i32.add (local.get $at) (i32.const 2)))
          (br_if $bytes (i32.lt_u (local.get $at) (local.get $end))))
        (f32.store (i32.add (local.get $out) (i32.shl (local.get $i) (i32.const 2)))
          (f32.add (local.get $sum) (local.get $other)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))))
