import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTiers, type Tier, tiers } from '../support/runs/tiers.ts'

const root = join(import.meta.dirname, '../..')
const byTier = readTiers(root)

test('every test file belongs to exactly one tier', () => {
  const files = tiers.flatMap((tier) => byTier[tier])
  expect(files.toSorted()).toEqual(globSync('test/**/*.test.ts', { cwd: root, exclude: ['test/node_modules'] }).toSorted())
})

test.each<[string, Tier]>([
  ['test/contract/refusals/nearestName.test.ts', 'unit'],
  ['test/domain/credits/usageOf.test.ts', 'service'],
  ['test/admin-ui/pages/keys/KeysPage.test.ts', 'browser'],
  ['test/gates/firstLoad.test.ts', 'browser'],
  ['test/faults/workerKills.test.ts', 'drills'],
  ['test/clients/python/suite.test.ts', 'drills'],
  ['test/providers/vendors/openai/openaiClient.test.ts', 'drills'],
  ['test/providers/vendors/openai/openai.test.ts', 'unit'],
])('%s is of tier %s, by what it imports or where it stands', (file, tier) => {
  expect(byTier[tier]).toContain(file)
})
