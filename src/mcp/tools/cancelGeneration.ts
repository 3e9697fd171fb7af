import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import { type CancelledGeneration, cancelledGeneration } from '../../contract/shapes/startedGeneration.ts'
import { formatCredits } from '../formatCredits.ts'
import { generationInput } from '../generationText.ts'
import { resultMedia } from '../resultMedia.ts'
import { tool, toolResult } from '../tool.ts'

export const cancelGeneration = tool({
  name: 'cancel_generation',
  title: 'Cancel a generation',
  description:
    'Cancels a generation; this cannot be undone. Before the work begins, all credits are returned; work that has begun is charged in full. Cancels generations of the person of this key; other generations of the team only if the person is an owner or administrator. An ended generation stays unchanged, cancelled is false, and the answer contains its result.',
  input: generationInput,
  output: cancelledGeneration,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  connect: (field) => {
    const cancel = field('mutation', 'cancelGeneration')
    const get = field('query', 'generation')
    const mediaOf = resultMedia(field)
    return async (call) => {
      const done = (await cancel({ id: call.arguments.generationId }, call)) as CancelledGeneration
      const { generationId, state, cancelled, creditsCharged, creditsReturned } = done
      const what = cancelled ? 'Cancelled' : `It had already ended as ${state}`
      const text = `${what}: ${generationId}; ${formatCredits(creditsCharged)} charged, ${formatCredits(creditsReturned)} returned.`
      if (state !== 'ready') return toolResult(done, text)
      // Too late: the result was charged, so return it.
      const made = (await get({ id: generationId, waitSeconds: 0 }, call)) as PublicGeneration
      return toolResult(done, text, ...(await mediaOf(made, call)))
    }
  },
})
