import { type Detected, detectFormat } from './detectFormat.ts'
import { makeFairQueue } from './fairQueue.ts'
import type { Inspected } from './inspected.ts'
import { type InspectionJob, makeInspectorPool, unavailable } from './inspectorPool.ts'

export type InspectorOptions = {
  /** How many files are looked at side by side; each has a process of its own, started when first needed. Default 2. */
  processes?: number
  /** How long one file may take once its turn has come. Default 4.5, so that the answer is there within 5. */
  secondsMax?: number
  /** Resident memory of one process, beyond which the file is given up. Default 1 GiB. */
  memoryBytesMax?: number
  /** How many files a process looks at before another takes its place. Default 200. */
  filesPerProcess?: number
  /** How many files may wait for their turn. Default 128. */
  waitingMax?: number
  /** How long a file may wait for its turn. Default 15. */
  waitSecondsMax?: number
}

export type InspectOptions = {
  /** What the caller says the file is; content that it cannot be is refused. */
  declaredMimeType?: string
  /** Ends the wait for an answer; a file whose turn has come is looked at to its end all the same. */
  signal?: AbortSignal
  /** Whose file it is, such as a team: owners take turns. */
  owner?: string
}

export type Inspector = {
  /**
   * What the first bytes say, in this process: signatures only, nothing is decoded. Up to `headBytes` of signatures.ts are of use;
   * `sizeBytes` is that of the whole file.
   */
  detect(head: Buffer, sizeBytes?: number): Promise<Detected>
  /**
   * Reads the file at `path` through, in a process apart, and says what it is or why it is refused. The answer comes within
   * `secondsMax` of the file's turn, whatever its content does.
   * Refusals: service_unavailable when too many files wait, the turn does not come or the inspector is closed. Rejects with the
   * reason of `signal`, and with an error when the file cannot be read.
   */
  inspect(path: string, options?: InspectOptions): Promise<Inspected>
  /** Ends the processes; files in work or waiting are answered with service_unavailable. */
  close(): Promise<void>
}

/** A pool of processes that inspect files, with a queue before it. Contract: section 3, POST /files; section 4. */
export function makeInspector(options: InspectorOptions = {}): Inspector {
  const queue = makeFairQueue<InspectionJob>(options.waitingMax ?? 128)
  const waitMs = (options.waitSecondsMax ?? 15) * 1000
  const pool = makeInspectorPool(
    {
      processes: options.processes ?? 2,
      secondsMax: options.secondsMax ?? 4.5,
      memoryBytesMax: options.memoryBytesMax ?? 1024 ** 3,
      filesPerProcess: options.filesPerProcess ?? 200,
    },
    queue,
  )
  let isClosed = false

  function enqueue(path: string, { declaredMimeType, signal, owner = '' }: InspectOptions): Promise<Inspected> {
    const { promise, resolve, reject } = Promise.withResolvers<Inspected>()
    const timer = setTimeout(() => leave(unavailable()), waitMs)
    const onAbort = (): void => leave(signal?.reason)
    const job: InspectionJob = {
      order: declaredMimeType === undefined ? { path } : { path, declaredMimeType },
      begin: () => clearTimeout(timer),
      resolve,
      reject,
    }
    function leave(reason: unknown): void {
      queue.remove(owner, job)
      reject(reason)
    }
    if (queue.add(owner, job)) {
      signal?.addEventListener('abort', onAbort, { once: true })
      pool.wake()
    } else reject(unavailable())
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  return {
    detect: detectFormat,
    async inspect(path, inspectOptions = {}) {
      inspectOptions.signal?.throwIfAborted()
      if (isClosed) throw unavailable()
      return await enqueue(path, inspectOptions)
    },
    async close() {
      isClosed = true
      for (let job = queue.take(); job !== undefined; job = queue.take()) job.reject(unavailable())
      await pool.close()
    },
  }
}
