import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Detected } from './detectFormat.ts'
import type { MediaLimits } from './inspection/mediaLimits.ts'
import type { InspectionResult } from './inspectionResult.ts'
import type { InspectionAnswer, InspectionTask } from './inspectorProgram.ts'
import type { TaskOutcome } from './workers/pooledTask.ts'
import { makeWorkerPool, type WorkerPool } from './workers/workerPool.ts'

export type InspectorOptions = MediaLimits & {
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
  /** How long a process stays without a file. Default 30. */
  idleSecondsMax?: number
  /** A new path for the folder in which a process finds its file; best on the file system of the files. */
  scratchPath?: () => string
}

export type InspectOptions = {
  /** What is said that the file is; content that it cannot be is refused. */
  declaredMimeTypes?: readonly string[]
  /** Ends the wait for an answer; a file whose turn has come is looked at to its end all the same. */
  signal?: AbortSignal
  /** Whose file it is, such as a team: owners take turns. */
  owner?: string
}

export type PreviewOptions = Omit<InspectOptions, 'declaredMimeTypes'> & { bytesMax: number }

export type Inspector = {
  /** What the first bytes say, up to `headBytes` of detectFormat.ts. Told by a process apart, as everything here. */
  recognise(head: Buffer, options?: Omit<InspectOptions, 'declaredMimeTypes'>): Promise<Detected>
  /**
   * Reads the file at `path` through, in a process apart, and says what it is or why it is refused. The answer comes within
   * `secondsMax` of the file's turn, whatever its content does.
   * Rejects with WorkersUnavailable when too many files wait, the turn does not come or the inspector is closed; with the reason of
   * `signal`; and with an error when the file cannot be read.
   */
  inspect(path: string, options?: InspectOptions): Promise<InspectionResult>
  /**
   * A JPEG of the picture at `path`, no larger than `bytesMax`; `undefined` when its content gives none. In a process apart and within the
   * same time, and rejects, as {@link Inspector.inspect}.
   */
  preview(path: string, options: PreviewOptions): Promise<Buffer | undefined>
  /** Ends the processes; files in work or waiting are answered with WorkersUnavailable. */
  close(): Promise<void>
}

const fileName = 'file'

/** Looks at hostile files in confined processes. Contract: docs/contract.md#upload-a-file. */
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
    // To end it would let callers who leave make us start a process for each.
    abandonedTask: 'finish',
    scratchPath: options.scratchPath ?? (() => join(tmpdir(), `atelier-inspector-${crypto.randomUUID()}`)),
  })
  const { imagePixelsMax } = options

  return {
    async recognise(head, { signal, owner } = {}) {
      const outcome = await run(pool, { kind: 'recognise', head }, { signal, owner })
      // What brings the process down is nothing that we accept by its beginning.
      return outcome.kind === 'done' && outcome.result.kind === 'recognised' ? outcome.result.detected : { candidates: [], mimeType: null }
    },
    async inspect(path, { declaredMimeTypes = [], signal, owner } = {}) {
      const task: InspectionTask = {
        kind: 'inspect',
        name: fileName,
        declaredMimeTypes: [...declaredMimeTypes],
        limits: { imagePixelsMax },
      }
      return inspectionResultOf(await run(pool, task, { signal, owner, path }))
    },
    async preview(path, { bytesMax, signal, owner }) {
      const task: InspectionTask = { kind: 'preview', name: fileName, limits: { imagePixelsMax, bytesMax } }
      return previewOf(await run(pool, task, { signal, owner, path }), bytesMax)
    },
    close: () => pool.close(),
  }
}

/** A process that was taken over by what it read may answer anything. */
function previewOf(outcome: TaskOutcome<InspectionAnswer>, bytesMax: number): Buffer | undefined {
  if (outcome.kind === 'failed') throw new Error(`the file could not be read: ${outcome.message}`)
  const jpeg = outcome.kind === 'done' && outcome.result.kind === 'previewed' ? outcome.result.jpeg : null
  return jpeg instanceof Uint8Array && jpeg.byteLength <= bytesMax ? Buffer.from(jpeg) : undefined
}

type Run = { signal: AbortSignal | undefined; owner: string | undefined; path?: string }

function run(
  pool: WorkerPool<InspectionTask, InspectionAnswer>,
  task: InspectionTask,
  { signal, owner, path }: Run,
): Promise<TaskOutcome<InspectionAnswer>> {
  return pool.run(task, {
    ...(path === undefined ? {} : { lend: { [fileName]: path } }),
    ...(signal === undefined ? {} : { signal }),
    ...(owner === undefined ? {} : { owner }),
  })
}

/** A process that dies over a file, or is ended because it takes too long, is an answer. */
function inspectionResultOf(outcome: TaskOutcome<InspectionAnswer>): InspectionResult {
  switch (outcome.kind) {
    case 'done':
      if (outcome.result.kind === 'inspected') return outcome.result.inspected
      throw new Error('the inspector answered another question')
    case 'failed':
      throw new Error(`the file could not be read: ${outcome.message}`)
    case 'killed':
      // The system does that when it runs out of memory.
      return { ok: false, refusal: 'file_processing_failed', cause: 'out_of_memory' }
    case 'timed_out':
    case 'out_of_memory':
    case 'crashed':
      return { ok: false, refusal: 'file_processing_failed', cause: outcome.kind }
  }
}
