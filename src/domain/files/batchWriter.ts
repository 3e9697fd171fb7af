import type { FileHandle } from 'node:fs/promises'

/** Size of one write to the disk. */
const batchBytes = 256 * 1024

export type BatchWriter = {
  /** Takes a chunk. Resolves when there is room for the next one. Rejects when an earlier write failed. */
  write(chunk: Uint8Array): Promise<void>
  /** Resolves when everything is written. */
  end(): Promise<void>
  /** Resolves when no write is running, also after a failure. */
  settle(): Promise<void>
}

/**
 * Appends to a file in batches, and fills one batch while another is written. Chunks are copied: keeping them until the batch is full
 * costs the garbage collector more. `onBatch` gets the bytes in order and must not keep them.
 */
export function batchWriter(file: FileHandle, onBatch: (bytes: Uint8Array) => void): BatchWriter {
  let filling: Buffer = Buffer.allocUnsafeSlow(batchBytes)
  let spare: Buffer | undefined
  let filledBytes = 0
  let writing: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    const batch = filling.subarray(0, filledBytes)
    onBatch(batch)
    await writing
    writing = writeAll(file, batch)
    // The next write or the end reports a failure. Until then it must not count as unhandled.
    writing.catch(() => undefined)
    const next = spare ?? Buffer.allocUnsafeSlow(batchBytes)
    spare = filling
    filling = next
    filledBytes = 0
  }

  return {
    async write(chunk) {
      for (let taken = 0; taken < chunk.length; ) {
        const part = chunk.subarray(taken, taken + batchBytes - filledBytes)
        filling.set(part, filledBytes)
        filledBytes += part.length
        taken += part.length
        if (filledBytes === batchBytes) await flush()
      }
    },
    async end() {
      await flush()
      await writing
    },
    settle: () => writing.catch(() => undefined),
  }
}

/** A write may store fewer bytes than it is given. */
async function writeAll(file: FileHandle, batch: Uint8Array): Promise<void> {
  let written = 0
  while (written < batch.length) written += (await file.write(batch, written)).bytesWritten
}
