import type { Readable } from 'node:stream'

/** What is known of a stored object without reading it. `sha256` is lowercase hexadecimal over the whole content. */
export type StoredObject = { key: string; sizeBytes: number; sha256: string }

/** A byte range, both ends inclusive, as HTTP counts. */
export type ByteRange = { start: number; end: number }

/**
 * Where the bytes of files and results live. Keys are our own: lowercase letters, digits, `/`, `-`, `_`, `.`; never a user's text.
 * An object appears whole or not at all, and is never changed once it is there.
 */
export type Storage = {
  /**
   * Streams `source` into the object `key`. Resolves once the object is durable; when the source fails or `signal` aborts,
   * rejects with that error and leaves nothing behind. An existing object of that key is replaced as a whole.
   */
  put(key: string, source: Readable, options?: { contentType?: string; signal?: AbortSignal }): Promise<StoredObject>
  /**
   * Moves the file at `path` of this machine, which nobody writes any more, into the object `key`; as durable as `put`, and without
   * copying it where both lie on one file system. The file may be gone afterwards, also when this rejects.
   */
  take(key: string, path: string, options?: { contentType?: string }): Promise<void>
  /** Opens the object, or the part `range` of it, for reading. Rejects with {@link ObjectNotFound}. */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** The object, or the part `range` of it, in memory: for what is small. Rejects with {@link ObjectNotFound}. */
  read(key: string, range?: ByteRange): Promise<Buffer>
  /** Size of the object, `undefined` when it is not there. */
  size(key: string): Promise<number | undefined>
  /** Removes the object; one that is not there is no error. */
  remove(key: string): Promise<void>
  /** Proves that objects can be written, read and removed, for the start and `doctor`. Rejects with a plain sentence. */
  check(): Promise<void>
  close(): Promise<void>
}

export class ObjectNotFound extends Error {
  constructor(key: string) {
    super(`no object ${key}`)
    this.name = 'ObjectNotFound'
  }
}
