import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { preservedPrefix } from '../../media/workers/scratchFolder.ts'
import { makeWorkerPool, type WorkerPool } from '../../media/workers/workerPool.ts'
import { renderFolderPrefix } from './renderFolder.ts'
import type { RenderResult, RenderTask } from './renderTask.ts'

/** Limits of the render processes: their number, the memory of one, and the time of one render. */
export type RenderLimits = { processes: number; memoryBytesMax: number; renderSecondsMax: number }

export type RenderPool = WorkerPool<RenderTask, RenderResult>

/** The file that a render writes. */
export const resultName = 'result'

/** Render processes have their folders here, because they cannot access our data folder. */
export const workersFolder = tmpdir()

/** Confined render processes. Each starts on demand and ends when idle. */
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

/**
 * Writes a font configuration with only the bundled fonts, so that text looks the same on every machine.
 * Returns the environment variables for the worker.
 */
async function writeFontConfig(folder: string): Promise<Record<string, string>> {
  const path = join(folder, `${preservedPrefix}fonts.conf`)
  await writeFile(path, configuration(fontsPath()))
  return { FONTCONFIG_FILE: path }
}

function fontsPath(): string {
  return join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
}

function configuration(path: string): string {
  const escaped = path.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${escaped}</dir><config><rescan><int>0</int></rescan></config></fontconfig>
`
}
