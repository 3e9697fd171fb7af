import { z } from 'zod'
import { generationRequest } from '../../contract/generationRequest.ts'
import { type PublicStarted, startedGeneration } from '../../contract/startedGeneration.ts'
import { generationText } from '../generationText.ts'
import { told, tool } from '../tool.ts'

const input = generationRequest.safeExtend({
  quoteId: z
    .string()
    .optional()
    .meta({ description: 'From estimate_generation for this very request. With it the call may be repeated: it starts once.' }),
})

export const startGeneration = tool({
  name: 'start_generation',
  title: 'Start a generation',
  description:
    'Starts the work and SPENDS CREDITS of the person: the price is held now, charged when the work succeeds, and given back when it fails. Call estimate_generation first and pass its quoteId with the very same request; then a repeat of the call never starts or costs a second time, so repeat it whenever you are unsure whether it went through. Without a quoteId each call starts, and costs, anew. Returns at once. Next: wait_generation with the generationId.',
  input,
  output: startedGeneration,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  connect: (field) => {
    const start = field('mutation', 'startGeneration')
    return async (call) => {
      const { quoteId, ...request } = call.arguments
      const started = (await start({ input: request, quoteId }, call)) as PublicStarted
      const repeated = started.replayed ? 'This repeats the answer to an earlier start with the same quote; nothing new was started.\n' : ''
      return told(started, `${repeated}${generationText(started)}`)
    }
  },
})
