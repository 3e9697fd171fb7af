import type { Command, Invocation } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { writeTable } from '../table.ts'
import { UsageError } from '../usageError.ts'
import { writeFamily } from '../writeFamily.ts'

/** Shows the catalog, or one family. */
export const families: Command = {
  name: 'families',
  usage: ['', '<family>'],
  summary: 'list the model families, or show one: variants, parameters, prices',
  about: 'Columns: identifier, name, output type, lowest price, availability.',
  options: {
    task: { type: 'string', value: '<task>', help: 'only families with this task, for example image-to-video' },
    makes: { type: 'string', value: '<type>', help: 'only families with this output type: image, video, audio, model3d' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output, context } = invocation
    if (given.arguments.length === 0) return await list(invocation)
    const [id = ''] = given.named('family')
    if (given.text('task') ?? given.text('makes')) throw new UsageError('--task and --makes are for the list of families.')
    const client = await connect(invocation)
    const family = await client.getFamily(id, { signal: context.interrupted })
    if (output.isJson) output.json(family)
    else writeFamily(output, family)
  },
}

async function list(invocation: Invocation): Promise<void> {
  const { given, output, context } = invocation
  const client = await connect(invocation)
  const query: Record<string, string | undefined> = { task: given.text('task'), outputType: given.text('makes') }
  const { items } = await client.listFamilies(query, { signal: context.interrupted })
  if (output.isJson) {
    for (const family of items) output.json(family)
    return
  }
  const rows = items.map((family) => [
    family.id,
    family.name,
    family.outputType,
    `from ${family.creditsFrom}`,
    family.available ? { text: 'available', colour: 'green' as const } : { text: family.lockReason ?? 'locked', colour: 'red' as const },
  ])
  writeTable(output, ['FAMILY', 'NAME', 'MAKES', 'CREDITS', 'STATE'], rows)
}
