import { createHash } from 'node:crypto'

/**
 * The prompt id under which an attempt is known to ComfyUI: chosen by us, so that it is known before the work is handed over, and the same
 * whenever the attempt is repeated. A UUID of the kind that leaves its digits to whoever makes it.
 */
export function promptIdOf(idempotencyKey: string): string {
  const bytes = digest(`prompt:${idempotencyKey}`).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The seed of an attempt whose caller gave none, from 0 to 2³² − 1: a repeat asks for the very same work. */
export function seedOf(idempotencyKey: string): number {
  return digest(`seed:${idempotencyKey}`).readUInt32BE(0)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
