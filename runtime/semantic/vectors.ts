/** Codes are compared in steps of 16 bytes, so a vector is padded with zeros to a multiple of 128 members. */
const step = 128;

/** How many members a stored vector has. */
export function paddedWidth(dims: number): number {
  return Math.ceil(dims / step) * step;
}

/** Bytes of the factor in front of a stored vector. */
export const factorBytes = 4;

/**
 * Packs a vector: a float32 (little-endian), then a signed byte for each member. The factor gives the bytes the length 1, so that the
 * product of two stored vectors with their factors is their cosine. A vector of zeros has the factor 0.
 *
 * @throws RangeError for a vector of another length, or one that is not finite, which must never be stored
 */
export function packVector(vector: Float32Array, dims: number): Uint8Array {
  if (vector.length !== dims) throw new RangeError(`an embedding has ${vector.length} members instead of ${dims}`);
  let largest = 0;
  for (const member of vector) {
    if (!Number.isFinite(member)) throw new RangeError("an embedding has a member that is not a number");
    largest = Math.max(largest, Math.abs(member));
  }
  const packed = new Uint8Array(factorBytes + paddedWidth(dims));
  const bytes = new Int8Array(packed.buffer, factorBytes);
  let sum = 0;
  for (let i = 0; i < dims && largest > 0; i++) {
    const byte = Math.round(((vector[i] ?? 0) / largest) * 127);
    bytes[i] = byte;
    sum += byte * byte;
  }
  new DataView(packed.buffer).setFloat32(0, sum === 0 ? 0 : 1 / Math.sqrt(sum), true);
  return packed;
}

/** A member this many times as far from its mean as the members of the vector are on average counts as far. */
const far = 1.25;

/**
 * The code of a vector: two bits for each member, which say on which side of its mean it is and whether it is far from it. The first half
 * has the sides, as `signCode` gives them. A bit of the second half is set for far above and near below. So a member is about 2 times its
 * first bit plus its second bit, where a bit that is not set counts as -1.
 */
export function vectorCode(vector: Float32Array, mean: Float32Array | undefined): Uint8Array {
  const code = new Uint8Array(paddedWidth(vector.length) / 4);
  code.set(signCode(vector, mean));
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += Math.abs((vector[i] ?? 0) - (mean?.[i] ?? 0));
  const least = (far * sum) / vector.length;
  for (let i = 0; i < vector.length; i++) {
    const from = (vector[i] ?? 0) - (mean?.[i] ?? 0);
    if (Math.abs(from) > least !== from <= 0) {
      const at = code.length / 2 + (i >> 3);
      code[at] = (code[at] ?? 0) | (1 << (i & 7));
    }
  }
  return code;
}

/** The sign bits of a vector after its mean was subtracted: bit i % 8 of byte i / 8 is set where member i is above the mean. */
export function signCode(vector: Float32Array, mean: Float32Array | undefined): Uint8Array {
  const code = new Uint8Array(paddedWidth(vector.length) / 8);
  for (let i = 0; i < vector.length; i++)
    if ((vector[i] ?? 0) > (mean?.[i] ?? 0)) code[i >> 3] = (code[i >> 3] ?? 0) | (1 << (i & 7));
  return code;
}
