import type { PublicGeneration } from '../../contract/generation.ts'
import { type CancelledGeneration, cancelledGeneration } from '../../contract/startedGeneration.ts'
import { finishedMedia } from '../finishedMedia.ts'
import { generationInput } from '../generationResult.ts'
import { inCredits } from '../inCredits.ts'
import { told, tool } from '../tool.ts'

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
    const mediaOf = finishedMedia(field)
    return async (call) => {
      const done = (await cancel({ id: call.arguments.generationId }, call)) as CancelledGeneration
      const { generationId, state, cancelled, creditsCharged, creditsReturned } = done
      const what = cancelled ? 'Cancelled' : `It had ended before, as ${state}`
      const text = `${what}: ${generationId}; ${inCredits(creditsCharged)} charged, ${inCredits(creditsReturned)} returned.`
      if (state !== 'ready') return told(done, text)
      // It came too late: what was made, and paid for, is handed over.
      const made = (await get({ id: generationId, waitSeconds: 0 }, call)) as PublicGeneration
      return told(done, text, ...(await mediaOf(made, call)))
    }
  },
})
