import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from '../../test/support/mutations/mutantsOf.ts'
import { reasonOfEquivalence } from './mutations/equivalentMutants.ts'
import { moneyCode, moneyTests, testsOf } from './mutations/moneyCode.ts'
import { type MutantOutcome, type MutantRunner, startMutantRunner } from './mutations/mutantRunner.ts'

/**
 * Breaks the code that moves credits, one place at a time in copies of the tree, and runs the tests of money on each copy: first those of
 * the broken file, then, for the breaks that these did not notice, all. The same tests must pass before the breaks of a file and after
 * them. A break that no test notices is listed. Exits with 1 when fewer than 95 % of the breaks are noticed.
 * `--only <parts of paths>` takes some files; `--jobs <number>` copies, default 2.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, jobs: { type: 'string', default: '2' } } })
const only = (values.only ?? '').split(',')
const noticedShareMin = 0.95
const root = join(import.meta.dirname, '../..')

type BrokenFile = { path: string; mutants: Mutant[] }
type Survivor = { path: string; mutant: Mutant }

const counts = { breaks: 0, equivalent: 0, refused: 0 }
const files = await Promise.all(moneyCode.filter((each) => only.some((part) => each.includes(part))).map(breaksOf))
print(`${counts.breaks} breaks, and ${counts.equivalent} that cannot be noticed (scripts/drills/mutations/equivalentMutants.ts)`)

const suspects = await runAll(files, testsOf)
print(`${suspects.length} breaks were not noticed by the tests of their own file`)
const unnoticed = await runAll(groupByFile(suspects), (path) => moneyTests.filter((test) => !testsOf(path).includes(test)))
for (const { path, mutant } of unnoticed) print(`${path}:${mutant.line}\n  - ${mutant.from}\n  + ${mutant.to}`)
const valid = counts.breaks - counts.refused
const share = valid === 0 ? 1 : 1 - unnoticed.length / valid
print(
  `${valid - unnoticed.length} of ${valid} breaks were noticed (${(share * 100).toFixed(1)} %); PostgreSQL refused ${counts.refused} others`,
)
process.exitCode = share >= noticedShareMin ? 0 : 1

async function breaksOf(path: string): Promise<BrokenFile> {
  const all = mutantsOf(await readFile(join(root, path), 'utf8'), path.endsWith('.sql') ? 'sql' : 'ts')
  const mutants = all.filter((mutant) => reasonOfEquivalence(path, mutant) === undefined)
  counts.breaks += mutants.length
  counts.equivalent += all.length - mutants.length
  return { path, mutants }
}

/** Runs these tests on all breaks. Returns those that were not noticed. */
async function runAll(all: readonly BrokenFile[], testsFor: (path: string) => string[]): Promise<Survivor[]> {
  const queue = [...all]
  const survivors: Survivor[] = []
  const record = (path: string) => (mutant: Mutant, outcome: MutantOutcome) => {
    if (outcome === 'refused') counts.refused += 1
    if (outcome === 'not noticed' || outcome === 'undecided') survivors.push({ path, mutant })
    print(`${outcome}  ${path}:${mutant.line}  ${mutant.to}`)
  }
  const runQueue = async () => {
    let runner: MutantRunner | undefined
    for (let next = queue.shift(); next; next = queue.shift()) {
      const tests = testsFor(next.path)
      if (tests.length === 0) for (const mutant of next.mutants) record(next.path)(mutant, 'not noticed')
      else await (runner ??= await startMutantRunner()).run({ ...next, tests }, record(next.path))
    }
    await runner?.stop()
  }
  await Promise.all(Array.from({ length: Math.min(Number(values.jobs), queue.length) }, runQueue))
  return survivors
}

function groupByFile(survivors: readonly Survivor[]): BrokenFile[] {
  const byPath = Map.groupBy(survivors, ({ path }) => path)
  return [...byPath].map(([path, ofFile]) => ({ path, mutants: ofFile.map(({ mutant }) => mutant) }))
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
