import { z } from 'zod'
import { limits } from '../../contract/limits.ts'
import { generation, type PublicGeneration } from '../../contract/shapes/generation.ts'
import type { CallField } from '../compileFields.ts'
import { generationInput, generationResult, progressText } from '../generationText.ts'
import { resultMedia } from '../resultMedia.ts'
import { readOnlyAnnotations, type ToolCall, tool } from '../tool.ts'

const input = generationInput.extend({
  waitSeconds: z
    .int()
    .min(0)
    .optional()
    .meta({
      description: `The maximum wait in seconds; default and upper limit ${limits.agentWaitSecondsMax}.`,
    }),
})

type WaitCall = ToolCall<z.output<typeof input>>

export const waitGeneration = tool({
  name: 'wait_generation',
  title: 'Wait for a generation',
  description: `Waits until the generation ends, at most ${limits.agentWaitSecondsMax} seconds, and returns the same as get_generation. If it has not ended, call it again; video can take minutes. Free of charge; the generation also continues without a wait. Next, when it is ready: give the link of the result, not the preview, to the person.`,
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

/** Polls with waits of one second, for clients that requested progress; the end of a generation ends a wait at once. */
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
