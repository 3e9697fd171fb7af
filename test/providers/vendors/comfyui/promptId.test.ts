import { expect, test } from 'vitest'
import { promptIdOf, seedOf } from '../../../../src/providers/vendors/comfyui/promptId.ts'

test('each attempt has its own prompt id and seed', () => {
  expect(promptIdOf('attempt')).toBe(promptIdOf('attempt'))
  expect(promptIdOf('attempt')).not.toBe(promptIdOf('another'))
  expect(seedOf('attempt')).toBe(seedOf('attempt'))
  expect(seedOf('attempt')).not.toBe(seedOf('another'))
})

test('prompt ids are UUIDs in the spelling of ComfyUI, and seeds are in the range of its samplers', () => {
  expect(promptIdOf('attempt')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.isInteger(seedOf('attempt')) && seedOf('attempt') >= 0 && seedOf('attempt') < 2 ** 32).toBe(true)
})
