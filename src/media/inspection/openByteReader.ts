import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Unprocessable } from './unprocessable.ts'

/** An open file that is read in pieces, so that memory does not depend on its size. */
export type ByteReader = {
  path: string
  sizeBytes: number
  /** Reads exactly `length` bytes from `offset`. A file that ends before is {@link Unprocessable} as `truncated`. */
  read(offset: number, length: number): Buffer
  /** Reads up to `length` bytes from `offset`, fewer at the end of the file. */
  readUpTo(offset: number, length: number): Buffer
  close(): void
}

const windowBytes = 65_536

/** Opens a regular file. Anything else is an internal error, not a fault of the content. */
export function openByteReader(path: string): ByteReader {
  const descriptor = openSync(path, 'r')
  const stat = fstatSync(descriptor)
  if (!stat.isFile()) {
    closeSync(descriptor)
    throw new Error('not a regular file')
  }
  const sizeBytes = stat.size
  // Reads ahead, so that walks over small structures need few system calls.
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
