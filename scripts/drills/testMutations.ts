import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from '../../test/support/mutations/mutantsOf.ts'

/**
 * Breaks the code that moves credits, one place at a time in copies of the tree, and runs the tests of money on each copy. A break that
 * no test notices is listed. Exits with 1 when fewer than 95 % of the breaks are noticed. `--only <part of a path>` takes some files.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, jobs: { type: 'string' } } })
const noticedShareMin = 0.95
const secondsMax = 240
const root = join(import.meta.dirname, '../..')

const functions = [
  'count_usage',
  'end_generation',
  'entries_sum_to_zero',
  'grant_credits',
  'post_to_ledger',
  'refuse_ledger_change',
  'settle_credits',
  'spent_today',
  'start_generations',
]
const domain = execFileSync('git', ['ls-files', 'src/domain/credits'], { cwd: root, encoding: 'utf8' }).trimEnd().split('\n')
const broken = [...functions.map((name) => `migrations/functions/${name}.sql`), ...domain]
const tests = [
  'test/domain/credits',
  'test/domain/generations/ending',
  'test/domain/generations/start',
  'test/domain/vendors',
  'test/rest/ceilings',
  'test/rest/spending',
  'test/rest/startGeneration',
  'test/rest/usage',
]

type Break = { path: string; mutant: Mutant }
const breaks: Break[] = []
for (const path of broken.filter((each) => each.includes(values.only ?? ''))) {
  const text = await readFile(join(root, path), 'utf8')
  for (const mutant of mutantsOf(text, path.endsWith('.sql') ? 'sql' : 'ts')) breaks.push({ path, mutant })
}
process.stdout.write(`${breaks.length} breaks\n`)

const unnoticed: Break[] = []
const queue = [...breaks]
const jobs = Number(values.jobs ?? Math.max(1, Math.floor(availableParallelism() / 2)))
await Promise.all(Array.from({ length: jobs }, playAll))
for (const { path, mutant } of unnoticed) process.stdout.write(`${path}:${mutant.line}\n  - ${mutant.from}\n  + ${mutant.to}\n`)
const share = breaks.length === 0 ? 1 : 1 - unnoticed.length / breaks.length
process.stdout.write(`${breaks.length - unnoticed.length} of ${breaks.length} breaks were noticed (${(share * 100).toFixed(1)} %)\n`)
process.exitCode = share >= noticedShareMin ? 0 : 1

async function playAll(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-mutation-'))
  try {
    execFileSync('git', ['checkout-index', '--all', `--prefix=${folder}/`], { cwd: root })
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    if (!(await testsPass(folder))) throw new Error('the tests fail without a break')
    for (let next = queue.shift(); next; next = queue.shift()) await play(folder, next)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function play(folder: string, { path, mutant }: Break): Promise<void> {
  const file = join(folder, path)
  const original = await readFile(file, 'utf8')
  await writeFile(file, mutant.text)
  try {
    const isNoticed = !(await testsPass(folder))
    if (!isNoticed) unnoticed.push({ path, mutant })
    process.stdout.write(`${isNoticed ? 'noticed' : 'NOT NOTICED'}  ${path}:${mutant.line}  ${mutant.to}\n`)
  } finally {
    await writeFile(file, original)
  }
}

async function testsPass(folder: string): Promise<boolean> {
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const env = { ...process.env, NO_COLOR: '1' }
  const child = spawn(process.execPath, [vitest, 'run', '--bail', '1', '--project', 'service', ...tests], {
    cwd: folder,
    env,
    stdio: 'ignore',
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), secondsMax * 1000)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  return code === 0
}
