import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeWorkerPool, type WorkerPool } from '../../media/workers/workerPool.ts'
import { renderFolderPrefix } from './renderFolder.ts'
import type { RenderResult, RenderTask } from './renderTask.ts'
import { writeFontConfig } from './writeFontConfig.ts'

/** Bounds of the render processes: how many, all the memory of one, and the time of one render. */
export type RenderLimits = { processes: number; memoryBytesMax: number; renderSecondsMax: number }

export type RenderPool = WorkerPool<RenderTask, RenderResult>

/** What a render writes for us to take. */
export const resultName = 'result'

/** Where render processes have their folders: they must be able to name them, and the folder of our data is closed to them. */
export const workersFolder = tmpdir()

/** Confined processes that render, each started when first needed and ended when there is nothing to do. */
export function makeRenderPool({ processes, memoryBytesMax, renderSecondsMax }: RenderLimits): RenderPool {
  return makeWorkerPool({
    program: {
      module: new URL('./child/renderProgram.ts', import.meta.url),
      code: [new URL('.', import.meta.url)],
      heapMegabytesMax: 128,
      semiSpaceMegabytesMax: 4,
      mayWrite: true,
      hasWasi: true,
      prepareScratch: writeFontConfig,
    },
    workersMax: processes,
    secondsMax: renderSecondsMax,
    memoryBytesMax,
    recycleAboveBytes: 200 * 1024 ** 2,
    tasksPerWorker: 200,
    waitingMax: 256,
    waitSecondsMax: 600,
    idleSecondsMax: 15,
    abandonedTask: 'end',
    scratchPath: () => join(workersFolder, `${renderFolderPrefix}${randomUUID()}`),
  })
}
