import { createHash } from 'node:crypto'

/**
 * The prompt id of an attempt at ComfyUI. It is derived from the idempotency key: known before the submit, and the same for every repeat.
 * It is a UUID version 8, whose digits are free.
 */
export function promptIdOf(idempotencyKey: string): string {
  const bytes = digest(`prompt:${idempotencyKey}`).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The seed of an attempt without a seed of the caller, from 0 to 2³² − 1. Every repeat has the same seed. */
export function seedOf(idempotencyKey: string): number {
  return digest(`seed:${idempotencyKey}`).readUInt32BE(0)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
