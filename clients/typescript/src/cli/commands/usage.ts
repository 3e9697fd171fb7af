import type { UsageLine } from '../../openapi.ts'
import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import type { ParsedArguments } from '../parsedArguments.ts'
import { writeTable } from '../table.ts'
import { UsageError } from '../usageError.ts'

const groups = ['day', 'key', 'family', 'reference', 'metadata'] as const

/** Shows what the team spent. */
export const usage: Command = {
  name: 'usage',
  usage: [''],
  summary: 'show what the team spent, by day, key, family, reference or metadata',
  about:
    'Columns: day, key, family, reference or value; generations; of these ready, failed, cancelled; credits charged; credits held. Days are in UTC.',
  options: {
    from: { type: 'string', value: '<day>', help: 'the first day, as 2026-11-01; thirty days otherwise' },
    to: { type: 'string', value: '<day>', help: 'the last day; default: today' },
    by: { type: 'string', value: '<group>', help: 'day, key, family, reference or metadata; default: day' },
    name: { type: 'string', value: '<name>', help: 'the entry of metadata, with --by metadata' },
    'key-id': { type: 'string', value: '<id>', help: 'only the days of this key' },
    family: { type: 'string', value: '<id>', help: 'only the days of this family' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output, context } = invocation
    given.named()
    const word = given.text('by')
    const by = groups.find((each) => each === word)
    if (word !== undefined && by === undefined) throw new UsageError(`--by takes ${groups.join(', ')}.`)
    const [from, to, name] = [given.text('from'), given.text('to'), given.text('name')]
    const client = await connect(invocation)
    if ((by === 'metadata') !== (name !== undefined)) throw new UsageError('--by metadata and --name <name> go together.')
    const span = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    const query = { ...span, ...(by ? { by } : {}), ...(name === undefined ? {} : { name }), ...filterOf(given, by) }
    const { items } = await client.usage(query, { signal: context.interrupted })
    if (output.isJson) {
      for (const line of items) output.json(line)
      return
    }
    writeTable(
      output,
      [(name ?? by ?? 'day').toUpperCase(), 'GENERATIONS', 'READY', 'FAILED', 'CANCELLED', 'CREDITS', 'HELD'],
      items.map(rowOf),
    )
  },
}

function filterOf(given: ParsedArguments, by: string | undefined): { keyId?: string; familyId?: string } {
  const [keyId, familyId] = [given.text('key-id'), given.text('family')]
  if (keyId !== undefined && familyId !== undefined) throw new UsageError('Use --key-id or --family, not both.')
  if ((keyId ?? familyId) !== undefined && (by ?? 'day') !== 'day') throw new UsageError('--key-id and --family go only with --by day.')
  return { ...(keyId === undefined ? {} : { keyId }), ...(familyId === undefined ? {} : { familyId }) }
}

function rowOf(line: UsageLine): string[] {
  const { generations, ready, failed, cancelled, creditsCharged, creditsHeld } = line
  const name = line.other ? 'all others' : (line.day ?? line.familyId ?? line.reference ?? line.metadataValue ?? line.keyId ?? 'no key')
  return [name, ...[generations, ready, failed, cancelled, creditsCharged, creditsHeld].map(String)]
}
