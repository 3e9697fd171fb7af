import type { Generation } from '../../openapi.ts'
import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import type { Piece } from '../output.ts'
import { writeTable } from '../table.ts'
import { UsageError } from '../usageError.ts'
import { axesWords, stateColours } from '../writeGeneration.ts'

const pageItems = 50
const heading = ['ID', 'STATE', 'FAMILY', 'STARTED', 'CREDITS', 'REFERENCE', 'PROMPT']
const statuses = ['active', 'ready', 'failed'] as const

/** Lists the newest generations of the team. */
export const history: Command = {
  name: 'history',
  usage: [''],
  summary: 'list generations, the newest first',
  about: 'Columns: identifier, state, family, start time, credits, reference, prompt.',
  options: {
    status: { type: 'string', value: '<status>', help: 'active, ready or failed' },
    reference: { type: 'string', value: '<text>', help: 'only generations with exactly this reference' },
    limit: { type: 'string', short: 'n', value: '<number>', help: 'how many; default: 20' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output, world } = invocation
    given.named()
    const status = given.text('status')
    const known = statuses.find((each) => each === status)
    if (status !== undefined && known === undefined) throw new UsageError(`--status takes ${statuses.join(', ')}.`)
    const reference = given.text('reference')
    const limit = given.number('limit', { min: 1, max: 1_000_000, whole: true }) ?? 20
    const client = await connect(invocation)
    const filter = { ...(known ? { status: known } : {}), ...(reference === undefined ? {} : { reference }) }
    const rows: Piece[][] = []
    let left = limit
    let cursor: string | null = null
    do {
      const query = { ...filter, limit: Math.min(left, pageItems), ...(cursor === null ? {} : { cursor }) }
      const page = await client.listGenerations(query, { signal: world.interrupted })
      if (output.isJson) for (const generation of page.items) output.json(generation)
      else if (output.isTerminal) rows.push(...page.items.map(rowOf))
      else writeTable(output, heading, page.items.map(rowOf))
      left -= page.items.length
      cursor = page.nextCursor
    } while (cursor !== null && left > 0)
    if (output.isTerminal && !output.isJson) writeTable(output, heading, rows)
  },
}

function rowOf(generation: Generation): Piece[] {
  const { state } = generation
  return [
    generation.generationId,
    { text: state, colour: stateColours[state] ?? 'dim' },
    generation.familyId + axesWords(generation.axes),
    generation.createdAt.slice(0, 19).replace('T', ' '),
    generation.creditsCharged === null ? `(${generation.creditsHeld})` : String(generation.creditsCharged),
    generation.reference ?? '',
    generation.prompt ?? '',
  ]
}
