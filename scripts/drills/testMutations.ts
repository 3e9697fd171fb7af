import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from '../../test/support/mutations/mutantsOf.ts'
import { reasonToExcuse } from './mutations/excused.ts'
import { moneyCode, moneyTests, testsOf } from './mutations/moneyCode.ts'
import { type Play, type Played, refusedByPostgres } from './mutations/player.ts'

/**
 * Breaks the code that moves credits, one place at a time in copies of the tree, and runs the tests of money on each copy: first those of
 * the broken file, then, for the breaks that these did not notice, all. A break that no test notices is listed. Exits with 1 when fewer
 * than 95 % of the breaks are noticed. `--only <parts of paths>` takes some files; `--jobs <number>` copies, default 2.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, jobs: { type: 'string' } } })
const only = (values.only ?? '').split(',')
const noticedShareMin = 0.95
const secondsMax = 300
const root = join(import.meta.dirname, '../..')

type Break = { path: string; original: string; mutant: Mutant }
const breaks: Break[] = []
let excused = 0
for (const path of moneyCode.filter((each) => only.some((part) => each.includes(part)))) {
  const original = await readFile(join(root, path), 'utf8')
  for (const mutant of mutantsOf(original, path.endsWith('.sql') ? 'sql' : 'ts')) {
    if (reasonToExcuse(path, mutant) === undefined) breaks.push({ path, original, mutant })
    else excused += 1
  }
}
print(`${breaks.length} breaks, and ${excused} that cannot be noticed (scripts/drills/mutations/excused.ts)`)

let refused = 0
const suspects = await playAll(breaks, ({ path }) => testsOf(path))
print(`${suspects.length} breaks were not noticed by the tests of their own file`)
const unnoticed = await playAll(suspects, ({ path }) => moneyTests.filter((test) => !testsOf(path).includes(test)))
for (const { path, mutant } of unnoticed) print(`${path}:${mutant.line}\n  - ${mutant.from}\n  + ${mutant.to}`)
const valid = breaks.length - refused
const share = valid === 0 ? 1 : 1 - unnoticed.length / valid
print(`${valid - unnoticed.length} of ${valid} breaks were noticed (${(share * 100).toFixed(1)} %); PostgreSQL refused ${refused} others`)
process.exitCode = share >= noticedShareMin ? 0 : 1

/** Plays all breaks with these tests. Returns those that were not noticed. */
async function playAll(all: readonly Break[], testsFor: (each: Break) => string[]): Promise<Break[]> {
  const queue = [...all]
  const left: Break[] = []
  const playQueue = async () => {
    let player: ChildProcess | undefined
    for (let next = queue.shift(); next; next = queue.shift()) {
      const tests = testsFor(next)
      if (tests.length > 0 && player?.connected !== true) player = await startPlayer()
      const noticedBy = player && tests.length > 0 ? await play(player, { ...next, text: next.mutant.text, tests }) : undefined
      if (noticedBy === refusedByPostgres) refused += 1
      else if (noticedBy === undefined) left.push(next)
      print(
        `${noticedBy === undefined ? 'not noticed' : 'noticed'}  ${next.path}:${next.mutant.line}  ${next.mutant.to}  ${noticedBy ?? ''}`,
      )
    }
    if (player?.connected) player.disconnect()
  }
  await Promise.all(Array.from({ length: Math.min(Number(values.jobs ?? 2), queue.length) }, playQueue))
  return left
}

/** Starts a player with a copy of the tree, whose cluster starts with the first test. */
async function startPlayer(): Promise<ChildProcess> {
  const player = fork(join(import.meta.dirname, 'mutations/player.ts'), ['play'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [path = ''] = moneyCode
  const original = await readFile(join(root, path), 'utf8')
  const noticedBy = await play(player, { path, original, text: original, tests: testsOf(path) })
  if (noticedBy !== undefined) throw new Error(`the tests fail without a break: ${noticedBy}`)
  return player
}

/** The test file that noticed the change. A run that crashes or does not end in time counts as noticed, and its process is replaced. */
async function play(player: ChildProcess, what: Play): Promise<string | undefined> {
  const ended = new AbortController()
  const time = setTimeout(() => ended.abort(), secondsMax * 1000)
  const end = () => ended.abort()
  player.once('exit', end)
  try {
    const answer = once(player, 'message', { signal: ended.signal })
    player.send(what)
    const [{ failed }] = (await answer) as [Played]
    return failed[0]
  } catch {
    player.kill('SIGKILL')
    return 'the end of the run'
  } finally {
    clearTimeout(time)
    player.off('exit', end)
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
