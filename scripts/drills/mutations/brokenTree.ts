import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startTestCluster } from '../../../test/support/runs/testCluster.ts'

/** `output`: the end of what the run wrote. */
export type Outcome = { passed: boolean; output: string }

/** A copy of the tree with a cluster of its own, in which code can be broken and repaired. */
export type BrokenTree = {
  /** Replaces a file. An SQL function is also replaced in the template of the test databases. Throws `pg.DatabaseError` for invalid SQL. */
  write(path: string, text: string): Promise<void>
  /** Restores the file as git has it. */
  restore(path: string): Promise<void>
  /** Runs test files in a new process up to the first failure. A run that crashes or does not end in time has failed. */
  run(tests: readonly string[]): Promise<Outcome>
  remove(): Promise<void>
}

const root = join(import.meta.dirname, '../../..')
/** A break can make a test wait for something that never happens. */
const testMilliseconds = 30_000
const runMillisecondsMax = 240_000
const outputLengthMax = 3_000

export async function makeBrokenTree(): Promise<BrokenTree> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-mutation-'))
  execFileSync('git', ['checkout-index', '--all', `--prefix=${folder}/`], { cwd: root })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const cluster = await startTestCluster()
  const write = async (path: string, text: string) => {
    if (path.endsWith('.sql')) await applyToTemplate(cluster.postgresUrl, text)
    await writeFile(join(folder, path), text)
  }
  return {
    write,
    restore: async (path) => write(path, await readFile(join(root, path), 'utf8')),
    run: (tests) => runTests(folder, cluster.postgresUrl, tests),
    remove: async () => {
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function runTests(folder: string, postgresUrl: string, tests: readonly string[]): Promise<Outcome> {
  const options = [
    '--project',
    'service',
    '--bail',
    '1',
    '--reporter',
    'dot',
    '--maxWorkers',
    '1',
    '--fsModuleCachePath',
    join(folder, '.cache'),
  ]
  const limits = ['--testTimeout', String(testMilliseconds), '--hookTimeout', String(2 * testMilliseconds)]
  const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options, ...limits, ...tests], {
    cwd: folder,
    env: { ...process.env, TEST_CLUSTER: postgresUrl, TEST_ORDER: 'shortest' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const output: string[] = []
  for (const stream of [vitest.stdout, vitest.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => output.push(chunk))
  const timer = setTimeout(() => killGroup(vitest.pid), runMillisecondsMax)
  const [code] = await once(vitest, 'exit')
  clearTimeout(timer)
  return { passed: code === 0, output: output.join('').slice(-outputLengthMax) }
}

/** Vitest and its workers. */
function killGroup(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

async function applyToTemplate(postgresUrl: string, sql: string): Promise<void> {
  const template = new URL(postgresUrl)
  template.pathname = 'migrated'
  await query(postgresUrl, 'alter database migrated allow_connections true')
  try {
    await query(template.href, sql)
  } finally {
    await query(postgresUrl, 'alter database migrated allow_connections false')
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
