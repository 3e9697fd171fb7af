import { defineConfig } from 'vitest/config'

export default defineConfig({
  // As Node itself resolves: with Vite's own condition `development` our code would get another graphql than the libraries beside it.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/globalSetup.ts'],
    globals: false,
    pool: 'forks',
    maxWorkers: 2,
    // Our modules keep nothing from one file for the next, and reading them anew for each was a third of the work.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 45_000,
    teardownTimeout: 10_000,
  },
})
