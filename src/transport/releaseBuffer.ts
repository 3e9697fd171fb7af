/**
 * Frees the memory of a chunk at once, which nobody else holds or reads again. Left to the garbage collector, the chunks of large files
 * make it go through the whole heap again and again, at more than the cost of moving the bytes. A part of something larger stays.
 */
export function releaseBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
