import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { UsageError } from '../usageError.ts'

/** Bytes go for good; what was made of them, and what it cost, stays in the history. */
export const deletion: Command = {
  name: 'delete',
  usage: ['file <fileId>', 'result <generationId>'],
  summary: 'delete an uploaded file, or what a generation made',
  about: 'There is no way back. The generation itself stays in the history, and what it cost stays paid.',
  options: serviceOptions,
  run: async (invocation) => {
    const { given, output, world } = invocation
    const [what = '', id = ''] = given.named('file|result', 'id')
    if (what !== 'file' && what !== 'result') throw new UsageError('delete takes file or result, and an identifier.')
    const client = await connect(invocation)
    const options = { signal: world.interrupted }
    await (what === 'file' ? client.deleteFile(id, options) : client.deleteResult(id, options))
    output.note(`The ${what === 'file' ? 'file' : 'result of'} ${id} is deleted.`)
  },
}
