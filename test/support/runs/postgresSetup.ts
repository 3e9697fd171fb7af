import type { TestProject } from 'vitest/node'
import { startTestCluster, type TestCluster } from './testCluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster of this run, as its owner; databases are made from the template `migrated`. */
    postgresUrl: string
    /** The port of PgBouncer in runs of `npm run test:pgbouncer`; else 0. */
    pgbouncerPort: number
  }
}

type SharedCluster = { users: number; cluster: Promise<TestCluster> }

/** Vitest loads this module once for each project of a run, and all of them share one cluster. */
const shared = globalThis as typeof globalThis & { atelierTestCluster?: SharedCluster | undefined }

/** Starts one cluster for the run. It stops with the last project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const entry = (shared.atelierTestCluster ??= { users: 0, cluster: runningCluster() ?? startTestCluster() })
  entry.users += 1
  const { postgresUrl, pgbouncerPort, stop } = await entry.cluster
  project.provide('postgresUrl', postgresUrl)
  project.provide('pgbouncerPort', pgbouncerPort)
  return async () => {
    entry.users -= 1
    if (entry.users > 0) return
    shared.atelierTestCluster = undefined
    await stop()
  }
}

/** The cluster of a program that starts several runs, such as `npm run test:mutations`. */
function runningCluster(): Promise<TestCluster> | undefined {
  const postgresUrl = process.env['TEST_CLUSTER']
  return postgresUrl === undefined ? undefined : Promise.resolve({ postgresUrl, pgbouncerPort: 0, stop: () => Promise.resolve() })
}
