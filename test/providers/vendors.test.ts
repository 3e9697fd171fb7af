import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variables } from '../../src/config/variables.ts'
import { vendors } from '../../src/providers/vendors.ts'
import { vendorsUnderTest } from '../support/conformance/vendorsUnderTest.ts'

const ids = vendors.map(({ id }) => id)

test('every vendor folder is in the list of vendors under its own name', () => {
  const folders = readdirSync(join(import.meta.dirname, '../../src/providers/vendors'))
  expect(ids.toSorted()).toEqual(folders.toSorted())
})

test('every shipped vendor is in the conformance suite', () => {
  const tested = vendorsUnderTest.map(({ vendor }) => vendor)
  expect(vendors.filter((vendor) => !tested.includes(vendor))).toEqual([])
})

test('no two vendors, and no vendor and the service, share an environment variable', () => {
  const names = vendors.flatMap(({ variables: { key, url, atOnce, perMinute } }) => [key, url, atOnce, perMinute])
  expect(names).toEqual([...new Set(names)])
  expect(names.filter((name) => name in variables)).toEqual([])
})
