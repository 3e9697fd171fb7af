import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { generationRequest } from '../../contract/generationRequest.ts'
import type { QuotedEstimate } from '../../contract/quote.ts'
import { type PublicStarted, startedGeneration } from '../../contract/startedGeneration.ts'
import { askToConfirm, confirmableOf, declined } from '../confirmation.ts'
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
    const quote = field('mutation', 'quoteGeneration')
    return async (call) => {
      const { quoteId: quoted, ...input } = call.arguments
      if (call.answered && call.answered.action !== 'accept') throw declined()
      const quoteId = call.answered?.state ?? quoted
      try {
        return startedResult((await start({ input, quoteId, confirmed: call.answered !== undefined }, call)) as PublicStarted)
      } catch (error) {
        const confirmable = call.canAsk ? confirmableOf(error) : undefined
        if (!confirmable) throw error
        return askToConfirm(confirmable, quoteId ?? ((await quote({ input }, call)) as QuotedEstimate).quoteId)
      }
    }
  },
})

function startedResult(started: PublicStarted): CallToolResult {
  const repeated = started.replayed ? 'This repeats the answer to an earlier start with the same quote; nothing new was started.\n' : ''
  return told(started, `${repeated}${generationText(started)}`)
}
