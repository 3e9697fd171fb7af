import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Detected } from './detectFormat.ts'
import type { MediaLimits } from './inspection/mediaLimits.ts'
import type { InspectionResult } from './inspectionResult.ts'
import type { InspectionAnswer, InspectionTask } from './inspectorProgram.ts'
import type { TaskOutcome } from './workers/pooledTask.ts'
import { makeWorkerPool, type WorkerPool } from './workers/workerPool.ts'

export type InspectorOptions = MediaLimits & {
  /** Number of files that are inspected concurrently, each in its own process. Default 2. */
  processes?: number
  /** Time limit of one inspection. Default 4.5, so that the answer is there within 5 seconds. */
  secondsMax?: number
  /** Limit of the resident memory of one process. Default 1 GiB. */
  memoryBytesMax?: number
  /** Number of files after which a process is replaced. Default 200. */
  filesPerProcess?: number
  /** Maximum number of waiting files. Default 128. */
  waitingMax?: number
  /** Maximum wait of a file. Default 15. */
  waitSecondsMax?: number
  /** Time after which an idle process ends. Default 30. */
  idleSecondsMax?: number
  /** Returns a new path for the folder of a process, preferably on the file system of the files. */
  scratchPath?: () => string
}

export type InspectOptions = {
  /** The types that the sender declares. Other content is refused. */
  declaredMimeTypes?: readonly string[]
  /** Ends the wait for an answer. A started inspection still runs to its end. */
  signal?: AbortSignal
  /** The owner of the file, such as a team, for the fair queue. */
  owner?: string
}

export type PreviewOptions = Omit<InspectOptions, 'declaredMimeTypes'> & { bytesMax: number; sideMax: number }

export type Inspector = {
  /** Recognises the format by the first `headBytes` of detectFormat.ts, in a separate process. */
  recognise(head: Buffer, options?: Omit<InspectOptions, 'declaredMimeTypes'>): Promise<Detected>
  /**
   * Inspects `file`, a path or small content, in a separate process: returns its format and measurements, or why it is refused. Takes at
   * most `secondsMax` after the start.
   * Rejects with WorkersUnavailable when too many files wait, the wait is too long or the inspector is closed; with the reason of
   * `signal`; and with an error when the file cannot be read.
   */
  inspect(file: string | Uint8Array, options?: InspectOptions): Promise<InspectionResult>
  /**
   * Renders a JPEG preview of the image or WAV file at `path`, at most `bytesMax` large and `sideMax` pixels long; `undefined` when the
   * content allows none. Limits and rejections are those of {@link Inspector.inspect}.
   */
  preview(path: string, options: PreviewOptions): Promise<Buffer | undefined>
  /** Ends the processes. Running and waiting files are rejected with WorkersUnavailable. */
  close(): Promise<void>
}

const fileName = 'file'
const contentName = 'content'

function nameOf(file: string | Uint8Array): string {
  return typeof file === 'string' ? fileName : contentName
}

/** Inspects untrusted files in confined processes. Contract: docs/contract.md#upload-a-file. */
export function makeInspector(options: InspectorOptions): Inspector {
  const pool = makeWorkerPool<InspectionTask, InspectionAnswer>({
    program: {
      module: new URL('./inspectorProgram.ts', import.meta.url),
      heapMegabytesMax: 256,
      semiSpaceMegabytesMax: 4,
      mayWrite: false,
      hasWasi: false,
    },
    workersMax: options.processes ?? 2,
    secondsMax: options.secondsMax ?? 4.5,
    memoryBytesMax: options.memoryBytesMax ?? 1024 ** 3,
    recycleAboveBytes: 200 * 1024 ** 2,
    tasksPerWorker: options.filesPerProcess ?? 200,
    waitingMax: options.waitingMax ?? 128,
    waitSecondsMax: options.waitSecondsMax ?? 15,
    idleSecondsMax: options.idleSecondsMax ?? 30,
    spareAfterMilliseconds: 200,
    // Ending it would make the service start a process for each caller who disconnects.
    abandonedTask: 'finish',
    scratchPath: options.scratchPath ?? (() => join(tmpdir(), `atelier-inspector-${crypto.randomUUID()}`)),
  })
  const { imagePixelsMax } = options

  return {
    async recognise(head, { signal, owner } = {}) {
      const outcome = await run(pool, { kind: 'recognise', head }, { signal, owner })
      // Content that crashes the process is not accepted.
      return outcome.kind === 'done' && outcome.result.kind === 'recognised' ? outcome.result.detected : { candidates: [], mimeType: null }
    },
    async inspect(file, { declaredMimeTypes = [], signal, owner } = {}) {
      const task: InspectionTask = {
        kind: 'inspect',
        name: nameOf(file),
        declaredMimeTypes: [...declaredMimeTypes],
        limits: { imagePixelsMax },
      }
      return inspectionResultOf(await run(pool, task, { signal, owner, file }))
    },
    async preview(file, { bytesMax, sideMax, signal, owner }) {
      const task: InspectionTask = { kind: 'preview', name: fileName, limits: { imagePixelsMax, bytesMax, sideMax } }
      return previewOf(await run(pool, task, { signal, owner, file }), bytesMax)
    },
    close: () => pool.close(),
  }
}

/** A compromised process may answer anything, so the answer is checked. */
function previewOf(outcome: TaskOutcome<InspectionAnswer>, bytesMax: number): Buffer | undefined {
  if (outcome.kind === 'failed') throw new Error(`the file could not be read: ${outcome.message}`)
  const jpeg = outcome.kind === 'done' && outcome.result.kind === 'previewed' ? outcome.result.jpeg : null
  return jpeg instanceof Uint8Array && jpeg.byteLength <= bytesMax ? Buffer.from(jpeg) : undefined
}

type Run = { signal: AbortSignal | undefined; owner: string | undefined; file?: string | Uint8Array }

function run(
  pool: WorkerPool<InspectionTask, InspectionAnswer>,
  task: InspectionTask,
  { signal, owner, file }: Run,
): Promise<TaskOutcome<InspectionAnswer>> {
  return pool.run(task, {
    ...(file === undefined ? {} : { lend: { [nameOf(file)]: file } }),
    ...(signal === undefined ? {} : { signal }),
    ...(owner === undefined ? {} : { owner }),
  })
}

/** A crashed or killed process is a result for the file. */
function inspectionResultOf(outcome: TaskOutcome<InspectionAnswer>): InspectionResult {
  switch (outcome.kind) {
    case 'done':
      if (outcome.result.kind === 'inspected') return outcome.result.inspected
      throw new Error('the inspector returned the wrong kind of answer')
    case 'failed':
      throw new Error(`the file could not be read: ${outcome.message}`)
    case 'killed':
      // The kernel kills processes when memory runs out.
      return { ok: false, refusal: 'file_processing_failed', cause: 'out_of_memory' }
    case 'timed_out':
    case 'out_of_memory':
    case 'crashed':
      return { ok: false, refusal: 'file_processing_failed', cause: outcome.kind }
  }
}
