import type { RenderResult, RenderTask } from '../renderTask.ts'
import { draw } from './image/raster.ts'
import { InputRefused } from './inputRefused.ts'
import { render } from './render.ts'

/** The first text loads the fonts, so a worker is ready only after it. */
await draw('<text y="9" font-family="DejaVu Sans">a</text><text y="9" font-family="DejaVu Sans" font-weight="bold">b</text>', {
  width: 16,
  height: 16,
})
  .raw()
  .toBuffer()

/** Runs one task in a worker of the sandbox. Writes to the file `result` in the folder of the worker. */
export async function work(task: RenderTask): Promise<RenderResult> {
  try {
    await render(task, { resultPath: 'result', scratchFolder: '.' })
    return { kind: 'rendered' }
  } catch (error) {
    if (error instanceof InputRefused) return { kind: 'refused', failure: error.failure }
    throw error
  }
}
