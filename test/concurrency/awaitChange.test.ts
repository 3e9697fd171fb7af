import { expect, test } from 'vitest'
import { awaitChange } from '../../src/concurrency/awaitChange.ts'

/** A counter that notifies its subscribers when it grows. */
function aCounter() {
  const subscribers = new Set<() => void>()
  let value = 0
  let reads = 0
  return {
    subscribers,
    reads: () => reads,
    grow(by = 1) {
      value += by
      for (const notice of subscribers) notice()
    },
    subscribe(notice: () => void) {
      subscribers.add(notice)
      return () => void subscribers.delete(notice)
    },
    read: async () => {
      reads += 1
      return value
    },
  }
}

const { signal } = new AbortController()
const aMinute = { waitSeconds: 60, signal }

test('a wait ends with the expected change and unsubscribes', async () => {
  const counter = aCounter()
  const waiting = awaitChange({ ...aMinute, ...counter, done: (value) => value === 2 })
  counter.grow()
  counter.grow()
  expect(await waiting).toBe(2)
  expect(counter.subscribers.size).toBe(0)
})

test('a change during a read is not missed', async () => {
  const counter = aCounter()
  let first = true
  const read = async () => {
    const value = await counter.read()
    if (first) counter.grow()
    first = false
    return value
  }
  expect(await awaitChange({ ...aMinute, subscribe: counter.subscribe, read, done: (value) => value === 1 })).toBe(1)
})

test('a value that is done already, or a wait of zero seconds, is read once', async () => {
  const done = aCounter()
  expect(await awaitChange({ ...aMinute, ...done, done: () => true })).toBe(0)
  const unawaited = aCounter()
  expect(await awaitChange({ ...aMinute, ...unawaited, waitSeconds: 0, done: () => false })).toBe(0)
  expect([done.reads(), unawaited.reads()]).toEqual([1, 1])
})

test('an abort ends the wait with the last value read', async () => {
  const counter = aCounter()
  const controller = new AbortController()
  const waiting = awaitChange({ ...aMinute, ...counter, signal: controller.signal, done: () => false })
  controller.abort()
  expect(await waiting).toBe(0)
  expect(counter.subscribers.size).toBe(0)
})

test('a failed read ends the wait and leaves no subscription', async () => {
  const counter = aCounter()
  const read = () => Promise.reject(new Error('the database is gone'))
  await expect(awaitChange({ ...aMinute, subscribe: counter.subscribe, read, done: () => true })).rejects.toThrow('gone')
  expect(counter.subscribers.size).toBe(0)
})
