import type { Atelier } from '../atelier.ts'
import type { EndedGeneration } from '../generations/pollStates.ts'
import type { Generation } from '../openapi.ts'
import type { Output } from './output.ts'
import { progressLine } from './progressBar.ts'

type Follow = { output: Output; signal: AbortSignal; timeoutSeconds: number | undefined }

const drawMs = 200

/** Waits for the end of a generation and shows its progress: an updated line on a terminal, otherwise one line per state. */
export async function follow(client: Atelier, begun: Generation, { output, signal, timeoutSeconds }: Follow): Promise<EndedGeneration> {
  let latest = begun
  const startedAt = performance.now()
  const draw = () => output.live?.(progressLine(latest, { seconds: (performance.now() - startedAt) / 1000, columns: output.columns }))
  const onProgress = (next: Generation) => {
    if (!output.live && next.state !== latest.state) output.note(`${next.generationId} is ${next.state}`)
    latest = next
  }
  const drawing = output.live ? setInterval(draw, drawMs) : undefined
  draw()
  try {
    return await client.waitUntilDone(begun.generationId, { signal, timeoutSeconds, onProgress })
  } finally {
    clearInterval(drawing)
    output.live?.('')
  }
}
