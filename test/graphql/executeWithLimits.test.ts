import { setImmediate as nextTurn } from 'node:timers/promises'
import { buildSchema, type GraphQLObjectType, parse } from 'graphql'
import { expect, test } from 'vitest'
import { makeCooperativeScheduler } from '../../src/concurrency/cooperativeScheduler.ts'
import type { Permit } from '../../src/concurrency/fairSemaphore.ts'
import { Refusal } from '../../src/contract/refusals/refusals.ts'
import type { Actor } from '../../src/domain/access/actor.ts'
import { makeExecuteWithLimits } from '../../src/graphql/executeWithLimits.ts'
import { makeResponseMeter } from '../../src/graphql/responseMeter.ts'

const schema = buildSchema('type Query { small: Int, large: JSON, waiting(waitSeconds: Int): JSON } type Mutation { act: Int } scalar JSON')
const { large, waiting } = (schema.getQueryType() as GraphQLObjectType).getFields()
for (const field of [large, waiting]) Object.assign(field ?? {}, { extensions: { maxFieldBytes: 5_000_000 } })

/** Starts operations that end when they are told to; `begun` are the callers of those in execution or ended, in their order. */
function anExecution() {
  const execute = makeExecuteWithLimits()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const held: Permit[] = []
  const field = (who: string) => () => {
    begun.push(who)
    return new Promise((resolve) => ends.push(() => resolve(1)))
  }
  const start = (who: string, query: string, disconnected = new AbortController().signal) => {
    const actor: Actor = who === 'tool' ? { kind: 'service' } : { kind: 'person', userId: who }
    const operation = {
      actor,
      disconnected,
      meter: makeResponseMeter(makeCooperativeScheduler(10)),
      executed: (each: Permit) => void held.push(each),
    }
    const rootValue = { small: field(who), large: field(who), waiting: field(who) }
    return execute({ schema, document: parse(query), rootValue }, operation)
  }
  const settle = async () => {
    for (let turns = 0; turns < 3; turns += 1) await nextTurn()
  }
  return { start, begun, ends, held, settle }
}

test("a person's heavy operations run one after another, each after the previous response was sent; other operations do not wait", async () => {
  const { start, begun, ends, held, settle } = anExecution()
  const first = start('ada', '{ large }')
  for (let index = 0; index < 7; index += 1) void start('ada', '{ large }')
  void start('bob', '{ large }')
  await settle()
  void start('ada', '{ small }')
  await settle()
  expect(begun.toSorted()).toEqual(['ada', 'ada', 'bob'])
  ends[0]?.()
  expect(await first).toEqual({ data: expect.objectContaining({ large: 1 }) })
  held[0]?.releaseShared()
  await settle()
  expect(begun.length).toBe(3)
  held[0]?.release()
  await settle()
  expect(begun.length).toBe(4)
})

test('heavy operations of many people have a common limit, and tools have another one', async () => {
  const { start, begun, settle } = anExecution()
  for (let index = 0; index < 20; index += 1) void start('tool', '{ large }')
  for (let index = 0; index < 20; index += 1) void start(`person ${index}`, '{ large }')
  await settle()
  expect(begun.filter((who) => who !== 'tool').length).toBe(6)
  expect(begun.filter((who) => who === 'tool').length).toBe(13)
})

test('an operation that waits for a generation does not block others', async () => {
  const { start, begun, settle } = anExecution()
  for (let index = 0; index < 20; index += 1) void start('tool', '{ waiting(waitSeconds: 60) }')
  await settle()
  expect(begun.length).toBe(20)
})

test('a waiting operation of a disconnected client is not executed, and a running one keeps its permit', async () => {
  const { start, begun, ends, settle } = anExecution()
  const leaving = new AbortController()
  void start('ada', '{ large }')
  const second = start('ada', '{ large }', leaving.signal)
  await settle()
  leaving.abort(new Refusal('service_unavailable'))
  expect((await second).errors?.[0]?.cause).toMatchObject({ code: 'service_unavailable' })
  void start('ada', '{ large }')
  await settle()
  expect([begun.length, ends.length]).toEqual([1, 1])
})
