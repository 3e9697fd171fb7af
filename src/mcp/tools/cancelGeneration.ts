import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import { type CancelledGeneration, cancelledGeneration } from '../../contract/shapes/startedGeneration.ts'
import { formatCredits } from '../formatCredits.ts'
import { generationInput } from '../generationResult.ts'
import { resultMedia } from '../resultMedia.ts'
import { tool, toolResult } from '../tool.ts'

export const cancelGeneration = tool({
  name: 'cancel_generation',
  title: 'Cancel a generation',
  description:
    'Stops work that is no longer wanted; this cannot be taken back. Before the work has begun all credits come back; begun work is charged in full. It cancels what the person of this key started; other work of the team only if they are an owner or administrator of it. One that has ended stays as it is, and cancelled is false; what it made comes with the answer.',
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
      const what = cancelled ? 'Cancelled' : `It had ended before, as ${state}`
      const text = `${what}: ${generationId}; ${formatCredits(creditsCharged)} charged, ${formatCredits(creditsReturned)} returned.`
      if (state !== 'ready') return toolResult(done, text)
      // It came too late: what was made, and paid for, is handed over.
      const made = (await get({ id: generationId, waitSeconds: 0 }, call)) as PublicGeneration
      return toolResult(done, text, ...(await mediaOf(made, call)))
    }
  },
})
