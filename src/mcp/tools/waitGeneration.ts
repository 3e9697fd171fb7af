import { z } from 'zod'
import { limits } from '../../contract/limits.ts'
import { generation, type PublicGeneration } from '../../contract/shapes/generation.ts'
import type { CallField } from '../compileFields.ts'
import { generationInput, generationResult } from '../generationResult.ts'
import { progressText } from '../generationText.ts'
import { resultMedia } from '../resultMedia.ts'
import { readOnlyAnnotations, type ToolCall, tool } from '../tool.ts'

const input = generationInput.extend({
  waitSeconds: z
    .int()
    .min(0)
    .optional()
    .meta({
      description: `Wait for so long at most; ${limits.agentWaitSecondsMax} when not said, and more counts as ${limits.agentWaitSecondsMax}.`,
    }),
})

type WaitCall = ToolCall<z.output<typeof input>>

export const waitGeneration = tool({
  name: 'wait_generation',
  title: 'Wait for a generation',
  description: `Waits until the work ends, for ${limits.agentWaitSecondsMax} seconds at most, and answers as get_generation does. If it is not finished by then, call it again; video can take minutes. Free of charge, and the work goes on whether anybody waits or not. Next, when it is ready: hand the link of the result on, not the preview.`,
  input,
  output: generation,
  annotations: readOnlyAnnotations,
  connect: (field) => {
    const get = field('query', 'generation')
    const mediaOf = resultMedia(field)
    return async (call) => {
      const found = await (call.report ? pollWithProgress(call, get) : getOnce(call, get, secondsOf(call)))
      return generationResult(found, await mediaOf(found, call))
    }
  },
})

function secondsOf({ arguments: { waitSeconds = limits.agentWaitSecondsMax } }: WaitCall): number {
  return Math.min(waitSeconds, limits.agentWaitSecondsMax)
}

async function getOnce(call: WaitCall, get: CallField, waitSeconds: number): Promise<PublicGeneration> {
  return (await get({ id: call.arguments.generationId, waitSeconds }, call)) as PublicGeneration
}

/** Looks once a second for those who want to hear how it goes: a client cannot show more, and an end is reported at once. */
async function pollWithProgress(call: WaitCall, get: CallField): Promise<PublicGeneration> {
  const { signal, report } = call
  const until = performance.now() + secondsOf(call) * 1000
  let found = await getOnce(call, get, 0)
  for (let last = ''; found.finishedAt === null; found = await getOnce(call, get, 1)) {
    const words = progressText(found)
    if (words !== last) report?.({ done: found.progress ?? null, words })
    last = words
    if (signal.aborted || performance.now() >= until) break
  }
  return found
}
