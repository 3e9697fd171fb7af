import type { RenderReply, RenderRequest } from '../renderOrder.ts'
import { InputRefused } from './inputRefused.ts'
import { draw } from './raster.ts'
import { render } from './render.ts'

/**
 * The program of a render process: answers one order after another until its parent lets go of it, and then ends by itself.
 * The first text drawn reads the fonts in, which is why `ready` waits for it.
 */
function reply(message: RenderReply): void {
  process.send?.(message)
}

async function answer({ id, order, resultPath, scratchFolder }: RenderRequest): Promise<RenderReply> {
  const before = process.cpuUsage()
  try {
    await render(order, { resultPath, scratchFolder })
    const { user, system } = process.cpuUsage(before)
    return { kind: 'rendered', id, usage: { cpuMs: (user + system) / 1000, peakRssBytes: process.resourceUsage().maxRSS * 1024 } }
  } catch (error) {
    if (error instanceof InputRefused) return { kind: 'refused', id, failure: error.failure }
    return { kind: 'broken', id, message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}

await draw('<text y="9" font-family="DejaVu Sans">a</text><text y="9" font-family="DejaVu Sans" font-weight="bold">b</text>', {
  width: 16,
  height: 16,
})
  .raw()
  .toBuffer()
process.on('message', (request: RenderRequest) => void answer(request).then(reply))
reply({ kind: 'ready' })
