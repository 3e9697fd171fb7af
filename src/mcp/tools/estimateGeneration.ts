import { limits } from '../../contract/limits.ts'
import { agentRequest } from '../../contract/shapes/generationRequest.ts'
import { type QuotedEstimate, quotedEstimate } from '../../contract/shapes/quote.ts'
import { formatCredits } from '../formatCredits.ts'
import { tool, toolResult } from '../tool.ts'

export const estimateGeneration = tool({
  name: 'estimate_generation',
  title: 'Estimate the cost',
  description: `Returns the exact price of a generation, the variant, the expected run time, and whether the credits are enough. Starts nothing and costs nothing. Returns a quoteId for one start within ${limits.quoteMinutes} minutes at no more than this price. Always call it before start_generation. blockers has the refusals that a start would return now. Next: start_generation with the same request and the quoteId.`,
  input: agentRequest,
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
      : `A start would be refused now: ${blockers.join(', ')}. Choose a cheaper request, or tell the person.`
  return `${formatCredits(credits)} with ${variant.modelId} (${variant.task}), about ${expectedRunSeconds.typical} s; ${formatCredits(creditsAvailable)} available.\n${next}`
}
