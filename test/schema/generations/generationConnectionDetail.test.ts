import { execute, parse } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { type Context, contextFor } from '../../../src/domain/context.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { schema } from '../../../src/schema/schema.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const own = await aTeamWithKey(services)

/** As an internal tool asks about the team, with the names of the statements that this took. */
async function asked(source: string) {
  const context = contextFor(services, { kind: 'service' })
  const statements: string[] = []
  const all: Context['sql']['all'] = (statement, values) => {
    statements.push(statement.name)
    return context.sql.all(statement, values)
  }
  const contextValue = { context: { ...context, sql: { ...context.sql, all } }, signal: new AbortController().signal }
  const { data } = await execute({ schema, document: parse(source), contextValue, variableValues: { id: own.team.id } })
  return { data: data as { team: { generations: { nodes: object[] } } } | null, statements }
}

const longParts = { prompt: 'a boat', parameters: { width: 64, height: 64 }, metadata: { order: '7' } }
const nothingAsked = 'query ($id: ID!) { team(id: $id) { generations { nodes { generationId state apiKey { name } result { url } } } } }'

test.each([
  ['no long field', nothingAsked, 'history_brief'],
  ['no long field, of one state', nothingAsked.replace('generations', 'generations(state: QUEUED)'), 'history_by_state_brief'],
  ['the prompt alone', nothingAsked.replace('state', 'prompt'), 'history_prompt'],
  [
    'the prompt behind a fragment',
    `${nothingAsked.replace('state', '...F')} fragment F on Generation { ... { prompt } }`,
    'history_prompt',
  ],
  ['parameters', nothingAsked.replace('state', 'parameters'), 'history'],
  ['the text of a result', nothingAsked.replace('url', 'text'), 'history'],
  ['the whole document', nothingAsked.replace('state', 'json'), 'history'],
])('a list reads long columns only for selected fields: %s', async (_what, source, statement) => {
  const { data, statements } = await asked(source)
  expect(data?.team).toBeDefined()
  expect(statements.filter((name) => name.startsWith('history'))).toEqual([statement])
})

test('selected fields have the same values in a list and alone', async () => {
  const request = { familyId: 'sandbox-image', ...longParts, reference: 'long parts' }
  const { generation } = await startGeneration(own.context, own.spender, { request, idempotencyKey: undefined })
  const id = generation['generationId']
  const read = async (fields: string) => {
    const list = `query ($id: ID!) { team(id: $id) { generations(reference: "long parts", source: REST) { nodes { generationId ${fields} } } } }`
    const { data } = await asked(list)
    return data?.team.generations.nodes[0]
  }
  const { prompt, parameters, metadata } = longParts
  expect(await read('state')).toEqual({ generationId: id, state: 'QUEUED' })
  expect(await read('prompt')).toEqual({ generationId: id, prompt })
  expect(await read('metadata parameters')).toMatchObject({ generationId: id, metadata, parameters })
  expect(await read('json')).toMatchObject({ json: { generationId: id, prompt, metadata, parameters } })
})
