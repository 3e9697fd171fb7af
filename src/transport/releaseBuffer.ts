/**
 * Frees the memory of a chunk at once; the chunk must not be used again. The garbage collector would scan the whole heap repeatedly for
 * the chunks of large files, at a higher cost than moving the bytes. A view of a larger buffer is not freed.
 */
export function releaseBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** Joins pieces into one buffer and frees them. The pieces must not be used afterwards. */
export function joinPieces(pieces: Buffer<ArrayBuffer>[]): Buffer<ArrayBuffer> {
  const whole = Buffer.concat(pieces)
  for (const piece of pieces) releaseBuffer(piece)
  return whole
}
