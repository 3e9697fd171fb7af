import { type CancelledGeneration, cancelledGeneration } from '../../contract/startedGeneration.ts'
import { generationInput } from '../generationResult.ts'
import { inCredits } from '../inCredits.ts'
import { told, tool } from '../tool.ts'

export const cancelGeneration = tool({
  name: 'cancel_generation',
  title: 'Cancel a generation',
  description:
    'Stops work that is no longer wanted; this cannot be taken back. Before the work has begun all credits come back; begun work is charged in full. One that has ended stays as it is, and cancelled is false.',
  input: generationInput,
  output: cancelledGeneration,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  connect: (field) => {
    const cancel = field('mutation', 'cancelGeneration')
    return async (call) => {
      const done = (await cancel({ id: call.arguments.generationId }, call)) as CancelledGeneration
      const { generationId, state, cancelled, creditsCharged, creditsReturned } = done
      const what = cancelled ? 'Cancelled' : `It had ended before, as ${state}`
      return told(done, `${what}: ${generationId}; ${inCredits(creditsCharged)} charged, ${inCredits(creditsReturned)} returned.`)
    }
  },
})
