import { expect, test } from 'vitest'
import { takeTurns } from '../../src/concurrency/turns.ts'

test('what is asked for under one key is done one after another, in order, and keys do not wait for each other', async () => {
  const turns = takeTurns()
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

test('what fails fails alone', async () => {
  const turns = takeTurns()
  const failing = turns('a', () => Promise.reject(new Error('no')))
  const next = turns('a', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
