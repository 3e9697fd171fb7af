import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { countWords } from '../writeGeneration.ts'

/** Cancelling an ended generation is not an error: the state is printed. */
export const cancel: Command = {
  name: 'cancel',
  usage: ['<generationId>'],
  summary: 'cancel a generation; work that has begun is charged',
  options: serviceOptions,
  run: async (invocation) => {
    const { given, output, context } = invocation
    const [id = ''] = given.named('generationId')
    const client = await connect(invocation)
    const answer = await client.cancel(id, { signal: context.interrupted })
    if (output.isJson) return output.json(answer)
    const words = answer.cancelled ? 'cancelled' : `was already ${answer.state}`
    output.data(
      `${answer.generationId} ${words}, ${countWords(answer.creditsCharged)} charged, ${countWords(answer.creditsReturned)} returned`,
    )
  },
}
