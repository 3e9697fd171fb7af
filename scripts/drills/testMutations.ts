import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from '../../test/support/mutations/mutantsOf.ts'
import { reasonToExcuse } from './mutations/excused.ts'
import type { Play, Played } from './mutations/player.ts'

/**
 * Breaks the code that moves credits, one place at a time in copies of the tree, and runs the tests of money on each copy. A break that
 * no test notices is listed. Exits with 1 when fewer than 95 % of the breaks are noticed. `--only <parts of paths>` takes some files.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, jobs: { type: 'string' } } })
const only = (values.only ?? '').split(',')
const noticedShareMin = 0.95
const secondsMax = 150
const root = join(import.meta.dirname, '../..')
const filesBelow = (folder: string) => execFileSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' }).trimEnd().split('\n')

const functions = [
  'count_usage',
  'daily_left',
  'end_generation',
  'entries_sum_to_zero',
  'grant_credits',
  'post_to_ledger',
  'refuse_ledger_change',
  'settle_credits',
  'spent_today',
  'start_generations',
]
const broken = [...functions.map((name) => `migrations/functions/${name}.sql`), ...filesBelow('src/domain/credits')]
const tests = [
  'test/domain/credits',
  'test/domain/generations/ending',
  'test/domain/generations/start',
  'test/domain/vendors',
  'test/rest/cancel.test.ts',
  'test/rest/ceilings.test.ts',
  'test/rest/idempotency.test.ts',
  'test/rest/spending.test.ts',
  'test/rest/startGeneration.test.ts',
  'test/rest/usage.test.ts',
]
  .flatMap(filesBelow)
  .filter((path) => path.endsWith('.test.ts'))

type Break = { path: string; original: string; mutant: Mutant }
const breaks: Break[] = []
let excused = 0
for (const path of broken.filter((each) => only.some((part) => each.includes(part)))) {
  const original = await readFile(join(root, path), 'utf8')
  for (const mutant of mutantsOf(original, path.endsWith('.sql') ? 'sql' : 'ts')) {
    if (reasonToExcuse(path, mutant) === undefined) breaks.push({ path, original, mutant })
    else excused += 1
  }
}
process.stdout.write(`${breaks.length} breaks, and ${excused} that change nothing about credits (scripts/drills/mutations/excused.ts)\n`)

/** The test files that noticed breaks of a file, the latest first: they run before the others. */
const noticers = new Map<string, string[]>()
const unnoticed: Break[] = []
const queue = [...breaks]
await Promise.all(Array.from({ length: Number(values.jobs ?? availableParallelism()) }, playAll))
for (const { path, mutant } of unnoticed) process.stdout.write(`${path}:${mutant.line}\n  - ${mutant.from}\n  + ${mutant.to}\n`)
const share = breaks.length === 0 ? 1 : 1 - unnoticed.length / breaks.length
process.stdout.write(`${breaks.length - unnoticed.length} of ${breaks.length} breaks were noticed (${(share * 100).toFixed(1)} %)\n`)
process.exitCode = share >= noticedShareMin ? 0 : 1

async function playAll(): Promise<void> {
  let player = await startPlayer()
  for (let next = queue.shift(); next; next = queue.shift()) {
    const noticedBy = await noticedByTests(player, next)
    if (player.killed) player = await startPlayer()
    const { path, mutant } = next
    if (noticedBy === undefined) unnoticed.push(next)
    process.stdout.write(
      `${noticedBy === undefined ? 'NOT NOTICED' : 'noticed'}  ${path}:${mutant.line}  ${mutant.to}  ${noticedBy ?? ''}\n`,
    )
  }
  player.disconnect()
}

async function startPlayer(): Promise<ChildProcess> {
  const player = fork(join(import.meta.dirname, 'mutations/player.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [path = ''] = broken
  const original = await readFile(join(root, path), 'utf8')
  const played = await play(player, { path, original, text: original, tests })
  if (played === undefined || played.failed.length > 0) throw new Error(`the tests fail without a break: ${played?.failed.join(', ')}`)
  return player
}

/** Few test files first: those of the file itself, and those that noticed a break of it. */
async function noticedByTests(player: ChildProcess, { path, original, mutant }: Break): Promise<string | undefined> {
  const likely = noticers.get(path) ?? tests.filter((test) => test === path.replace(/^src\/(.*)\.ts$/, 'test/$1.test.ts'))
  for (const some of [likely.slice(0, 2), tests.filter((test) => !likely.slice(0, 2).includes(test))]) {
    if (some.length === 0) continue
    const played = await play(player, { path, original, text: mutant.text, tests: some })
    if (played === undefined) return `no end after ${secondsMax} s`
    const [noticer] = played.failed
    if (noticer === undefined) continue
    if (tests.includes(noticer)) noticers.set(path, [noticer, ...likely.filter((test) => test !== noticer)])
    return noticer
  }
  return undefined
}

/** A run without an end is killed; its break counts as noticed. */
async function play(player: ChildProcess, what: Play): Promise<Played | undefined> {
  const time = AbortSignal.timeout(secondsMax * 1000)
  try {
    const answer = once(player, 'message', { signal: time })
    player.send(what)
    const [played] = (await answer) as [Played]
    return played
  } catch {
    player.kill('SIGKILL')
    return undefined
  }
}
