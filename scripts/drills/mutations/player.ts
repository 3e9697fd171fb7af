import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import pg from 'pg'
import { createVitest, type Vitest } from 'vitest/node'

/** One changed file, and the test files to run on it. */
export type Play = { path: string; text: string; original: string; tests: string[] }
/** The test files that failed; empty: the change was not noticed. */
export type Played = { failed: string[] }

const root = join(import.meta.dirname, '../../..')
const broken = 'the run itself'
/** Instead of a test file, for a change that is no SQL. */
export const refusedByPostgres = 'PostgreSQL'

/**
 * Plays the changes that its parent sends on a copy of the tree. All of them share one vitest, which keeps what it has compiled, and
 * one cluster; a change of an SQL function is applied to the template of the test databases.
 */
async function playChanges(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-mutation-'))
  execFileSync('git', ['checkout-index', '--all', `--prefix=${folder}/`], { cwd: root })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  process.chdir(folder)
  const vitest = await createVitest({
    root: folder,
    watch: false,
    project: ['service'],
    bail: 1,
    reporters: [{}],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    fsModuleCache: false,
  })
  process.on('disconnect', () => {
    void vitest.close().finally(async () => {
      await rm(folder, { recursive: true, force: true })
      process.exit()
    })
  })
  process.on('message', (play: Play) => {
    void playOn(vitest, folder, play).then((played) => process.send?.(played))
  })
}

async function playOn(vitest: Vitest, folder: string, { path, text, original, tests }: Play): Promise<Played> {
  try {
    await change(vitest, folder, path, text)
    return { failed: await failedOf(vitest, folder, tests) }
  } catch (error) {
    return { failed: [error instanceof pg.DatabaseError ? refusedByPostgres : broken] }
  } finally {
    await change(vitest, folder, path, original)
  }
}

async function change(vitest: Vitest, folder: string, path: string, text: string): Promise<void> {
  await writeFile(join(folder, path), text)
  vitest.invalidateFile(join(folder, path))
  if (path.endsWith('.sql')) await applyToTemplate(vitest, text)
}

async function applyToTemplate(vitest: Vitest, sql: string): Promise<void> {
  const { postgresUrl } = vitest.getProjectByName('service').getProvidedContext()
  if (postgresUrl === undefined) return // The cluster starts with the first run, from the files of the copy.
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

async function failedOf(vitest: Vitest, folder: string, tests: string[]): Promise<string[]> {
  const specifications = await vitest.getRelevantTestSpecifications(tests.map((path) => join(folder, path)))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  // The result also has the modules of earlier runs.
  const modules = testModules.map((module) => ({ path: relative(folder, module.moduleId), ok: module.ok() }))
  const noticers = modules.filter(({ path, ok }) => !ok && tests.includes(path)).map(({ path }) => path)
  return noticers.length === 0 && unhandledErrors.length > 0 ? [broken] : noticers
}

if (process.argv[2] === 'play') await playChanges()
