import type { Generation, Operations } from '../../openapi.ts'
import type { Command } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import type { Piece } from '../output.ts'
import type { ParsedArguments } from '../parsedArguments.ts'
import { writeTable } from '../table.ts'
import { axesWords, stateColours } from '../writeGeneration.ts'

type HistoryQuery = Operations['listGenerations']['query']

const pageItems = 50
const heading = ['ID', 'STATE', 'FAMILY', 'STARTED', 'CREDITS', 'REFERENCE', 'PROMPT']
const statuses = ['active', 'ready', 'failed', 'cancelled'] as const
const sources = ['rest', 'mcp', 'editor'] as const

/** Lists the newest generations of the team. */
export const history: Command = {
  name: 'history',
  usage: [''],
  summary: 'list generations, the newest first',
  about: 'Columns: identifier, state, family, start time, credits, reference, prompt.',
  options: {
    status: { type: 'string', value: '<status>', help: 'active, ready, failed or cancelled' },
    reference: { type: 'string', value: '<text>', help: 'only generations with exactly this reference' },
    family: { type: 'string', value: '<id>', help: 'only generations of this family' },
    'key-id': { type: 'string', value: '<id>', help: 'only generations that this key started' },
    source: { type: 'string', value: '<source>', help: 'rest, mcp or editor' },
    since: { type: 'string', value: '<moment>', help: 'only generations created at this moment or later, as 2026-11-20T12:00:00Z' },
    until: { type: 'string', value: '<moment>', help: 'only generations created before this moment' },
    metadata: { type: 'string', multiple: true, value: '<name=value>', help: 'only generations with this entry; may be repeated' },
    limit: { type: 'string', short: 'n', value: '<number>', help: 'how many; default: 20' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given, output, context } = invocation
    given.named()
    const filter = filterOf(given)
    const limit = given.number('limit', { min: 1, max: 1_000_000, whole: true }) ?? 20
    const client = await connect(invocation)
    const rows: Piece[][] = []
    let left = limit
    let cursor: string | null = null
    do {
      const query = { ...filter, limit: Math.min(left, pageItems), ...(cursor === null ? {} : { cursor }) }
      const page = await client.listGenerations(query, { signal: context.interrupted })
      if (output.isJson) for (const generation of page.items) output.json(generation)
      else if (output.isTerminal) rows.push(...page.items.map(rowOf))
      else writeTable(output, heading, page.items.map(rowOf))
      left -= page.items.length
      cursor = page.nextCursor
    } while (cursor !== null && left > 0)
    if (output.isTerminal && !output.isJson) writeTable(output, heading, rows)
  },
}

function filterOf(given: ParsedArguments): HistoryQuery {
  const metadata = given.pairs('metadata')
  const filter = {
    status: given.choice('status', statuses),
    reference: given.text('reference'),
    familyId: given.text('family'),
    keyId: given.text('key-id'),
    source: given.choice('source', sources),
    createdAfter: given.text('since'),
    createdBefore: given.text('until'),
    metadata: metadata.length > 0 ? Object.fromEntries(metadata) : undefined,
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as HistoryQuery
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
