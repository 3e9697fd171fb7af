import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take longest, though their files are short: begun first, so that none runs on alone at the end. */
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

export default defineConfig({
  // As Node itself resolves: with Vite's own condition `development` our code would get another graphql than the libraries beside it.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/globalSetup.ts'],
    globals: false,
    pool: 'forks',
    // One more than the processors of a small machine: much of the time of tests is waiting.
    maxWorkers: 3,
    // Our modules keep nothing from one file for the next, and reading them anew for each was a third of the work.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // For what hangs alone: a machine that others share may be at a third of its speed.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
  },
})
