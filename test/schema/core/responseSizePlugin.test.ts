import { execute, parse } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { makeCooperativeScheduler } from '../../../src/concurrency/cooperativeScheduler.ts'
import { accountIdOf } from '../../../src/domain/access/spender.ts'
import { contextFor } from '../../../src/domain/context.ts'
import { makeResponseMeter } from '../../../src/graphql/responseMeter.ts'
import { schema } from '../../../src/schema/schema.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const { team, key } = await aTeamWithKey(services)
const count = 50
await services.pool.query(
  `insert into generations (id, owner_id, account_id, key_id, source, state, family_id, output_type, price, credits_charged, result, created_at, finished_at)
     select 'gen_' || lpad(n::text, 26, '0'), $1, $2, $3, 'rest', 'ready', 'f', 'image', 0, 0, '{"heldBy": "editor"}', now(), now() from generate_series(1, $4::integer) as n`,
  [team.id, accountIdOf(team.id), key.id, count],
)

const context = contextFor(services, { kind: 'service' })
const list = (fields: string) => parse(`query ($id: ID!) { team(id: $id) { generations { nodes { ${fields} } } } }`)

/** Executes with a minimal time slice, so that every pause takes its own turn of the event loop. Counts the turns. */
async function turnsOf(fields: string) {
  const answer = makeResponseMeter(makeCooperativeScheduler(0))
  const contextValue = { context, signal: new AbortController().signal, answer }
  let turns = 0
  let goesOn = true
  const next = () => {
    turns += 1
    if (goesOn) setImmediate(next)
  }
  setImmediate(next)
  const result = await execute({ schema, document: list(fields), contextValue, variableValues: { id: team.id } })
  goesOn = false
  return { turns, result, length: answer.length() }
}

/** Executes without measurement, like REST and MCP. */
function unmeasured(fields: string) {
  const contextValue = { context, signal: new AbortController().signal }
  return execute({ schema, document: list(fields), contextValue, variableValues: { id: team.id } })
}

test('a long list lets other work run between its items', async () => {
  const { turns, result } = await turnsOf('generationId state')
  expect(turns).toBeGreaterThanOrEqual(count)
  expect(result).toEqual(await unmeasured('generationId state'))
})

test('objects that a loader returns together are completed one by one', async () => {
  const { turns, result } = await turnsOf('apiKey { name }')
  expect(turns).toBeGreaterThanOrEqual(2 * count)
  expect(result).toEqual(await unmeasured('apiKey { name }'))
})

test('the measured length includes names, values and lists', async () => {
  for (const fields of ['generationId', 'state reusableAs', 'axes json', `${'long'.repeat(20)}: creditsHeld`]) {
    const { length, result } = await turnsOf(fields)
    const written = JSON.stringify(result).length
    expect({ fields, isAbout: length > written * 0.7 && length < written * 1.5 }).toEqual({ fields, isAbout: true })
  }
})
