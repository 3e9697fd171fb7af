import { expect, test } from 'vitest'
import type { Provider } from '../../src/providers/provider.ts'
import { makeRegistry } from '../../src/providers/registry.ts'
import { makeSandboxProvider } from '../../src/providers/sandbox/sandboxProvider.ts'

function named(id: string, close?: () => Promise<void>): Provider {
  return { ...makeSandboxProvider(), id, close: close ?? (async () => {}) }
}

test('the registry finds a provider only by its id', () => {
  const [one, two] = [named('one'), named('two')]
  const registry = makeRegistry([one, two])
  expect(registry.get('two')).toBe(two)
  expect(registry.get('constructor')).toBeUndefined()
  expect(registry.list()).toEqual([one, two])
})

test('two providers with one id are refused', () => {
  expect(() => makeRegistry([named('one'), named('one')])).toThrow('share an id')
})

test('closing closes every provider, even when one of them fails, and then reports the failure', async () => {
  const closed: string[] = []
  const registry = makeRegistry([
    named('one', async () => {
      closed.push('one')
      throw new Error('the first one fails to close')
    }),
    named('two', async () => {
      closed.push('two')
    }),
  ])
  await expect(registry.close()).rejects.toThrow('the first one fails to close')
  expect(closed).toEqual(['one', 'two'])
})
