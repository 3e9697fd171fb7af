import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readTiers, type Tier, tiers } from './test/support/runs/tiers.ts'

/** The files that take longest start first, so that none runs alone at the end. */
const longest = [
  'test/providers/conformance.test.ts',
  'test/fuzz/operations.test.ts',
  'test/faults/workerKills.test.ts',
  'test/faults/frozenWorker.test.ts',
  'test/faults/cutConnections.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.includes(relative(import.meta.dirname, moduleId))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** A break of the code is found soonest by the shortest test. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed()
  }
}

const order = process.env['TEST_ORDER']
const postgres = 'test/support/runs/postgresSetup.ts'
const browser = 'test/support/runs/browserSetup.ts'
const setups: Record<Tier, string[]> = { unit: [], service: [postgres], browser: [postgres, browser], drills: [postgres, browser] }
/** Tests with a database wait for it and for time limits, so more of them run at once than there are processors. */
const processors = availableParallelism()
const workers: Record<Tier, number> = { unit: processors + 1, service: processors + 3, browser: processors + 1, drills: processors + 1 }
const filesOf = readTiers(import.meta.dirname)

export default defineConfig({
  // As Node itself resolves: with Vite's own condition `development` our code would get another graphql than the libraries beside it.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    projects: tiers.map((name, groupOrder) => ({
      extends: true,
      test: { name, include: filesOf[name], globalSetup: setups[name], maxWorkers: workers[name], sequence: { groupOrder } },
    })),
    globals: false,
    setupFiles: ['test/support/runs/patience.ts'],
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Our modules keep nothing from one file for the next, and reading them again for each file was a third of the work.
    isolate: false,
    // `npm run test:order` gives a seed, and `npm run test:mutations` the word.
    sequence:
      order === undefined || order === 'shortest'
        ? { sequencer: order === undefined ? LongestFirst : ShortestFirst }
        : { shuffle: { files: true, tests: false }, seed: Number(order) },
    // Only a test that hangs reaches this: a machine that others share may run at a third of its speed.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
  },
})
