import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Unprocessable } from './unprocessable.ts'

/** An open file that is read piece by piece, so that its size never decides about memory. */
export type ByteReader = {
  path: string
  sizeBytes: number
  /** Exactly `length` bytes from `offset`; a file that ends before is {@link Unprocessable} as `truncated`. */
  read(offset: number, length: number): Buffer
  /** Up to `length` bytes from `offset`, fewer at the end of the file. */
  readUpTo(offset: number, length: number): Buffer
  close(): void
}

const windowBytes = 65_536

/** Opens a regular file for reading; anything else, and a missing one, is an error of ours and not of the content. */
export function openByteReader(path: string): ByteReader {
  const descriptor = openSync(path, 'r')
  const stat = fstatSync(descriptor)
  if (!stat.isFile()) {
    closeSync(descriptor)
    throw new Error('not a regular file')
  }
  const sizeBytes = stat.size
  // Walks over small structures read ahead, so that a step costs no call into the system.
  let window: Buffer = Buffer.alloc(0)
  let windowOffset = 0

  function fill(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const count = readSync(descriptor, buffer, filled, length - filled, offset + filled)
      if (count === 0) throw new Unprocessable('truncated', 'the file became shorter while it was read')
      filled += count
    }
    return buffer
  }

  function readUpTo(offset: number, length: number): Buffer {
    const available = Math.max(0, Math.min(length, sizeBytes - offset))
    if (available === 0) return Buffer.alloc(0)
    if (available > windowBytes / 2) return fill(offset, available)
    if (offset < windowOffset || offset + available > windowOffset + window.length) {
      window = fill(offset, Math.min(windowBytes, sizeBytes - offset))
      windowOffset = offset
    }
    return window.subarray(offset - windowOffset, offset - windowOffset + available)
  }

  return {
    path,
    sizeBytes,
    readUpTo,
    read(offset, length) {
      const buffer = readUpTo(offset, length)
      if (buffer.length < length) throw new Unprocessable('truncated', 'the file ends too early')
      return buffer
    },
    close: () => closeSync(descriptor),
  }
}
