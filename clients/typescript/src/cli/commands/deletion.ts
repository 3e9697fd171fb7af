import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { UsageError } from '../usageError.ts'

/** Deletes files permanently. Generations and costs stay in the history. */
export const deletion: Command = {
  name: 'delete',
  usage: ['file <fileId>', 'result <generationId>'],
  summary: 'delete an uploaded file or the result of a generation',
  about: 'This cannot be undone. The generation and its cost stay in the history.',
  options: serviceOptions,
  run: async (invocation) => {
    const { given, output, context } = invocation
    const [what = '', id = ''] = given.named('file|result', 'id')
    if (what !== 'file' && what !== 'result') throw new UsageError('delete takes file or result, and an identifier.')
    const client = await connect(invocation)
    const options = { signal: context.interrupted }
    await (what === 'file' ? client.deleteFile(id, options) : client.deleteResult(id, options))
    output.note(`The ${what === 'file' ? 'file' : 'result of'} ${id} is deleted.`)
  },
}
