import type { RenderResult, RenderTask } from '../renderTask.ts'
import { draw } from './image/raster.ts'
import { InputRefused } from './inputRefused.ts'
import { render } from './render.ts'

/** The first text drawn reads the fonts in, which is why a worker is ready only after it. */
await draw('<text y="9" font-family="DejaVu Sans">a</text><text y="9" font-family="DejaVu Sans" font-weight="bold">b</text>', {
  width: 16,
  height: 16,
})
  .raw()
  .toBuffer()

/** What the workers of the sandbox do: one order after another, each into the file `result` of their folder. */
export async function work(task: RenderTask): Promise<RenderResult> {
  try {
    await render(task, { resultPath: 'result', scratchFolder: '.' })
    return { kind: 'rendered' }
  } catch (error) {
    if (error instanceof InputRefused) return { kind: 'refused', failure: error.failure }
    throw error
  }
}
