import { expect, test } from 'vitest'
import { keyedMutex } from '../../src/concurrency/keyedMutex.ts'

test('work of one key runs one at a time, in order, and keys do not wait for each other', async () => {
  const turns = keyedMutex()
  const said: string[] = []
  const gates = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() }
  const work = (name: string, gate?: Promise<void>) => async () => {
    said.push(`${name} begins`)
    await gate
    said.push(`${name} ends`)
    return name
  }
  const first = turns('a', work('first', gates.first.promise))
  const second = turns('a', work('second', gates.second.promise))
  expect(await turns('b', work('other'))).toBe('other')
  expect(said).toEqual(['first begins', 'other begins', 'other ends'])
  gates.second.resolve()
  gates.first.resolve()
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
  expect(said.slice(3)).toEqual(['first ends', 'second begins', 'second ends'])
})

test('a failure does not affect the next work of the key', async () => {
  const turns = keyedMutex()
  const failing = turns('a', () => Promise.reject(new Error('no')))
  const next = turns('a', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('a shared failure also fails calls that have waited long enough, and the next call runs again', async () => {
  const isShared = (error: unknown) => error instanceof Error && error.message === 'locked'
  const [strict, lenient] = [keyedMutex({ isShared }), keyedMutex({ isShared, waitMilliseconds: 60_000 })]
  const locked = () => Promise.reject(new Error('locked'))
  const done = async () => 'done'
  const outcomes = (turns: typeof strict) => Promise.allSettled([turns('a', locked), turns('a', done), turns('b', done), turns('a', done)])
  expect((await outcomes(strict)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'rejected'])
  expect((await outcomes(lenient)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  expect(await strict('a', done)).toBe('done')
})
