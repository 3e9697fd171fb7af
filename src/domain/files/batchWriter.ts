import type { FileHandle } from 'node:fs/promises'

/** So many bytes go to the disk with one call. */
const batchBytes = 256 * 1024

export type BatchWriter = {
  /** Takes a chunk; resolves when there is room for the next. Rejects when an earlier one could not be written. */
  write(chunk: Uint8Array): Promise<void>
  /** Resolves when everything is written. */
  end(): Promise<void>
  /** Resolves when nothing is under way any more, however it went. */
  settle(): Promise<void>
}

/**
 * Appends to a file in batches, so that many small chunks cost few calls, and gathers one batch while another is written. Chunks are
 * copied, since keeping each until its batch is full costs the garbage collector more. `onBatch` sees the bytes in their order, and
 * must not keep them.
 */
export function batchWriter(file: FileHandle, onBatch: (bytes: Uint8Array) => void): BatchWriter {
  let filling: Buffer = Buffer.allocUnsafeSlow(batchBytes)
  let spare: Buffer | undefined
  let filledBytes = 0
  let underWay: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    const batch = filling.subarray(0, filledBytes)
    onBatch(batch)
    await underWay
    underWay = writeAll(file, batch)
    // Whoever writes next hears of a failure; until then it is nobody's.
    underWay.catch(() => undefined)
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
      await underWay
    },
    settle: () => underWay.catch(() => undefined),
  }
}

/** A call may write fewer bytes than it is given. */
async function writeAll(file: FileHandle, batch: Uint8Array): Promise<void> {
  let written = 0
  while (written < batch.length) written += (await file.write(batch, written)).bytesWritten
}
