import { performance } from 'node:perf_hooks'
import { modelLimits, undeclaredLimits } from '../src/providers/sandbox/modelLimits.ts'
import { makeRenderPool, type RenderPool, resultName } from '../src/providers/sandbox/renderPool.ts'
import type { RenderTask } from '../src/providers/sandbox/renderTask.ts'

/** The cost of one kind of render: medians over repeats in a warm process, and its peak memory. */
export type SandboxFigures = { name: string; medianMs: number; medianCpuMs: number; peakRssBytes: number; sizeBytes: number }

/**
 * Measures a render of each kind, each in a new process, so that the memory is that of one kind. The first render of a process, which
 * loads modules, is not counted.
 */
export async function measureSandbox({ repeats = 5 }: { repeats?: number } = {}): Promise<SandboxFigures[]> {
  const figures: SandboxFigures[] = []
  for (const [name, order] of Object.entries(orders)) figures.push(await measure({ name, order, repeats }))
  return figures
}

const common = {
  prompt: 'A lighthouse at dusk, seen from the sea, with gulls circling above',
  seed: 'seed 42',
  label: 'bench',
  inputs: [],
  imageLimits: modelLimits({ limits: undeclaredLimits, outputType: 'image' }).image,
}

const page = 'The quick brown fox jumps over the lazy dog. '.repeat(22)

const orders: Record<string, RenderTask> = {
  'image draft 512² png': { ...common, kind: 'image', version: 'draft', width: 512, height: 512, format: 'png' },
  'image pro 2048² png': { ...common, kind: 'image', version: 'pro', width: 2048, height: 2048, format: 'png' },
  'image standard 1024² webp': { ...common, kind: 'image', version: 'standard', width: 1024, height: 1024, format: 'webp' },
  'video turbo 2 s': { ...common, kind: 'video', from: 'prompt', mode: 'turbo', durationSeconds: 2 },
  'video quality 2 s': { ...common, kind: 'video', from: 'prompt', mode: 'quality', durationSeconds: 2 },
  'video quality 10 s': { ...common, kind: 'video', from: 'prompt', mode: 'quality', durationSeconds: 10 },
  'audio basic mp3, one sentence': { ...common, kind: 'audio', tier: 'basic', format: 'mp3' },
  'audio studio m4a, one minute': { ...common, kind: 'audio', tier: 'studio', format: 'm4a', prompt: page },
  '3d glb': { ...common, kind: 'model3d', format: 'glb' },
  '3d obj': { ...common, kind: 'model3d', format: 'obj' },
}

type Measurement = { name: string; order: RenderTask; repeats: number }

async function measure({ name, order, repeats }: Measurement): Promise<SandboxFigures> {
  const pool = makeRenderPool({ processes: 1, memoryBytesMax: 1_000_000_000, renderSecondsMax: 120 })
  try {
    await renderOnce(pool, order)
    const runs = []
    for (let run = 0; run < repeats; run += 1) runs.push(await renderOnce(pool, order))
    return {
      name,
      medianMs: median(runs.map(({ wallMs }) => wallMs)),
      medianCpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
      peakRssBytes: Math.max(...runs.map(({ peakRssBytes }) => peakRssBytes)),
      sizeBytes: runs[0]?.sizeBytes ?? 0,
    }
  } finally {
    await pool.close()
  }
}

async function renderOnce(pool: RenderPool, order: RenderTask) {
  const start = performance.now()
  const outcome = await pool.run(order, { take: resultName })
  if (outcome.kind !== 'done' || !outcome.taken) throw new Error(`the render ended as ${outcome.kind}`)
  const wallMs = performance.now() - start
  const { size: sizeBytes } = await outcome.taken.stat()
  await outcome.taken.close()
  return { wallMs, sizeBytes, ...outcome.usage }
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
