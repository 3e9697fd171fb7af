import type { Readable } from 'node:stream'

/** Properties of a stored object. `sha256` is lowercase hexadecimal over the whole content. */
export type StoredObject = { key: string; sizeBytes: number; sha256: string }

/** A byte range with both ends inclusive, as in HTTP. */
export type ByteRange = { start: number; end: number }

/**
 * Stores the bytes of files and results. The service chooses the keys: lowercase letters, digits, `/`, `-`, `_`, `.`; never user input.
 * An object appears whole or not at all, and never changes afterwards.
 */
export type Storage = {
  /**
   * Streams `source` into the object `key`. Resolves once the object is durable. When the source fails or `signal` aborts, rejects with
   * that error and leaves no object. Replaces an existing object of that key as a whole. Destroys the source when it rejects, and its
   * errors do not crash the process.
   */
  put(key: string, source: Readable, options?: { contentType?: string; signal?: AbortSignal }): Promise<StoredObject>
  /**
   * Moves the complete local file at `path` into the object `key`, as durable as `put`. Does not copy within one file system. The file may
   * be gone afterwards, also when this rejects.
   */
  take(key: string, path: string, options?: { contentType?: string }): Promise<void>
  /** Opens the object, or its `range`, for reading. Rejects with {@link ObjectNotFound}. */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** Reads the object, or its `range`, into memory; for small content. Rejects with {@link ObjectNotFound}. */
  read(key: string, range?: ByteRange): Promise<Buffer>
  /** Size of the object; undefined when it does not exist. */
  size(key: string): Promise<number | undefined>
  /** Removes the object. A missing object is not an error. */
  remove(key: string): Promise<void>
  /** Checks that objects can be written, read and removed, at the start and for `doctor`. Rejects with a sentence for the operator. */
  check(): Promise<void>
  close(): Promise<void>
}

export class ObjectNotFound extends Error {
  constructor(key: string) {
    super(`no object ${key}`)
    this.name = 'ObjectNotFound'
  }
}
