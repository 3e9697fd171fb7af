import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import { agentRequest } from '../../contract/shapes/generationRequest.ts'
import type { QuotedEstimate } from '../../contract/shapes/quote.ts'
import { type PublicStarted, startedGeneration } from '../../contract/shapes/startedGeneration.ts'
import { declined, elicitConfirmation, requiredConfirmation } from '../elicitConfirmation.ts'
import { generationText } from '../generationText.ts'
import { type Media, resultMedia } from '../resultMedia.ts'
import { tool, toolResult } from '../tool.ts'

const input = agentRequest.safeExtend({
  quoteId: z
    .string()
    .optional()
    .meta({ description: 'From estimate_generation for the same request. With it, the call can be repeated: the generation starts once.' }),
})

export const startGeneration = tool({
  name: 'start_generation',
  title: 'Start a generation',
  description:
    'Starts a generation and SPENDS CREDITS of the person: the price is held now, charged on success, and returned on failure. Call estimate_generation first, and pass its quoteId with the same request. Then a repeat of the call never starts or costs a second time, so repeat it whenever the outcome is unknown. Without a quoteId each call starts, and costs, again. Returns at once. Next: wait_generation with the generationId.',
  input,
  output: startedGeneration,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  unknownOutcomeHint: ({ quoteId }) => (quoteId === undefined ? unsure : undefined),
  connect: (field) => {
    const start = field('mutation', 'startGeneration')
    const quote = field('mutation', 'quoteGeneration')
    const get = field('query', 'generation')
    const mediaOf = resultMedia(field)
    return async (call) => {
      const { quoteId: quoted, ...input } = call.arguments
      const { answered } = call
      if (answered && answered.action !== 'accept') throw declined()
      const quoteId = answered?.asked.quoteId ?? quoted
      const agreed = answered ? { ...input, maxCredits: Math.min(answered.asked.credits, input.maxCredits ?? Infinity) } : input
      try {
        const started = (await start({ input: agreed, quoteId, confirmed: answered !== undefined }, call)) as PublicStarted
        if (!started.replayed) return toolResult(started, generationText(started))
        const now = (await get({ id: started.generationId, waitSeconds: 0 }, call)) as PublicGeneration
        return replayedResult(started, now, await mediaOf(now, call))
      } catch (error) {
        const confirmable = call.supportsElicitation ? requiredConfirmation(error) : undefined
        if (!confirmable) throw error
        return elicitConfirmation(call.context, confirmable, quoteId ?? ((await quote({ input }, call)) as QuotedEstimate).quoteId)
      }
    }
  },
})

const unsure =
  'It is unknown whether the generation started. Find it with list_generations before you start again, and use a quoteId: then a repeat is safe.'

/** The structured content is the first response. The text and the media are those of the present state. */
function replayedResult(started: PublicStarted, now: PublicGeneration, media: Media): CallToolResult {
  const heading = 'This repeats the response of an earlier start with the same quote; nothing new was started. Present state:'
  return toolResult(started, `${heading}\n${generationText(now)}`, ...media)
}
