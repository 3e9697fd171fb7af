import type { UsageLine } from '../../openapi.ts'
import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { writeTable } from '../table.ts'
import { UsageError } from '../usageError.ts'

const groups = ['day', 'key', 'family'] as const

/** Shows what the team spent. */
export const usage: Command = {
  name: 'usage',
  usage: [''],
  summary: 'show what the team spent, by day, key or family',
  about: 'Columns: day, key or family; generations; of these ready, failed, cancelled; credits charged; credits held. Days are in UTC.',
  options: {
    from: { type: 'string', value: '<day>', help: 'the first day, as 2026-11-01; thirty days otherwise' },
    to: { type: 'string', value: '<day>', help: 'the last day; default: today' },
    by: { type: 'string', value: '<group>', help: 'day, key or family; default: day' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output, world } = invocation
    given.named()
    const word = given.text('by')
    const by = groups.find((each) => each === word)
    if (word !== undefined && by === undefined) throw new UsageError(`--by takes ${groups.join(', ')}.`)
    const [from, to] = [given.text('from'), given.text('to')]
    const client = await connect(invocation)
    const query = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), ...(by ? { by } : {}) }
    const { items } = await client.usage(query, { signal: world.interrupted })
    if (output.isJson) {
      for (const line of items) output.json(line)
      return
    }
    const name = (by ?? 'day').toUpperCase()
    writeTable(output, [name, 'GENERATIONS', 'READY', 'FAILED', 'CANCELLED', 'CREDITS', 'HELD'], items.map(rowOf))
  },
}

function rowOf(line: UsageLine): string[] {
  const { generations, ready, failed, cancelled, creditsCharged, creditsHeld } = line
  const name = line.day ?? line.familyId ?? line.keyId ?? 'no key'
  return [name, ...[generations, ready, failed, cancelled, creditsCharged, creditsHeld].map(String)]
}
