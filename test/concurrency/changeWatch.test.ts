import { expect, test } from 'vitest'
import { type ChangeNotice, watchChanges } from '../../src/concurrency/changeWatch.ts'

function aWatch({ seconds = 60 } = {}) {
  const leaving = new AbortController()
  const stirs = new Set<(why: ChangeNotice) => void>()
  const watch = watchChanges({
    signal: leaving.signal,
    seconds,
    subscribe(stir) {
      stirs.add(stir)
      return () => void stirs.delete(stir)
    },
  })
  return { watch, leaving, stirs, stir: (why: ChangeNotice) => stirs.forEach((each) => each(why)) }
}

test('notices between two reads are merged, and a certain one wins over an unsure one', async () => {
  const { watch, stir } = aWatch()
  for (const why of ['unsure', 'changed', 'unsure'] as const) stir(why)
  expect(await watch.next()).toBe('changed')
  const next = watch.next()
  stir('unsure')
  expect(await next).toBe('unsure')
  watch.stop()
})

test('a watch ends after its time or with its signal, despite pending notices, and leaves no subscription', async () => {
  const short = aWatch({ seconds: 0.01 })
  expect(await short.watch.next()).toBeUndefined()
  short.watch.stop()
  const left = aWatch()
  const next = left.watch.next()
  left.leaving.abort()
  expect(await next).toBeUndefined()
  left.stir('changed')
  expect(await left.watch.next()).toBeUndefined()
  left.watch.stop()
  expect([short.stirs.size, left.stirs.size]).toEqual([0, 0])
})
