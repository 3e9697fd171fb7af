import { limits } from '../../contract/limits.ts'
import { generationRequest } from '../../contract/shapes/generationRequest.ts'
import { type QuotedEstimate, quotedEstimate } from '../../contract/shapes/quote.ts'
import { formatCredits } from '../formatCredits.ts'
import { tool, toolResult } from '../tool.ts'

export const estimateGeneration = tool({
  name: 'estimate_generation',
  title: 'Estimate the cost',
  description: `Tells what a generation would cost exactly, which variant would run, how long it takes, and whether the credits suffice. Starts nothing and costs nothing. Gives a quoteId, good for one start within ${limits.quoteMinutes} minutes at no more than this price. Always call it before start_generation. blockers names what would refuse a start now. Next: start_generation with the same request and the quoteId.`,
  input: generationRequest,
  output: quotedEstimate,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  connect: (field) => {
    const quote = field('mutation', 'quoteGeneration')
    return async (call) => {
      const quoted = (await quote({ input: call.arguments }, call)) as QuotedEstimate
      return toolResult(quoted, estimateText(quoted))
    }
  },
})

function estimateText(quoted: QuotedEstimate): string {
  const { credits, variant, creditsAvailable, blockers, expectedRunSeconds, quoteId, quoteExpiresAt } = quoted
  const next =
    blockers.length === 0
      ? `Next: start_generation with the same request and quoteId ${quoteId}, before ${quoteExpiresAt}.`
      : `A start would be refused now: ${blockers.join(', ')}. Choose something cheaper, or tell the person.`
  return `${formatCredits(credits)} with ${variant.modelId} (${variant.task}), about ${expectedRunSeconds.typical} s; ${formatCredits(creditsAvailable)} available.\n${next}`
}
