import { parseArgs } from 'node:util'
import { postgresIn } from '../../test/support/chaos/machine.ts'
import { type Order, playRollout, type RolloutOutcome } from '../../test/support/rollout/playRollout.ts'
import { findPreviousRelease, NoPreviousRelease } from '../../test/support/rollout/previousRelease.ts'
import { brokenByRollout, rolloutTable } from '../../test/support/rollout/rolloutTable.ts'
import { printLine } from './printLine.ts'

/**
 * Runs the previous release beside this one on one database, under load, in both orders, and checks the promises. Prints a table, and exits
 * with 1 if a promise was broken, with 2 if there is nothing to run. `--order up|down` runs one order; `--rows 300000` fills the database
 * with a history first; `--processes 2` starts two servers and two workers of each release; `--postgres <folder>` uses other PostgreSQL
 * programs than those of the package; `--from <commit>` sets the previous release.
 */
const { values } = parseArgs({
  options: {
    order: { type: 'string' },
    rows: { type: 'string', default: '0' },
    processes: { type: 'string', default: '1' },
    starts: { type: 'string', default: '4' },
    postgres: { type: 'string' },
    from: { type: 'string' },
  },
})
const orders: Order[] = (['up', 'down'] as const).filter((order) => values.order === undefined || values.order === order)
const [rows, perRole, startsPerSecond] = [values.rows, values.processes, values.starts].map(Number) as [number, number, number]
if (orders.length === 0 || !(rows >= 0 && perRole >= 1 && startsPerSecond > 0)) {
  refuse('npm run test:rollout -- [--order up|down] [--rows N] [--processes N] [--starts N a second] [--postgres FOLDER] [--from COMMIT]')
}
const previous = await findPreviousRelease(values.from).catch((error: unknown) => {
  if (error instanceof NoPreviousRelease) refuse(error.message)
  throw error
})
const programs = await postgresIn(values.postgres)
printLine(
  `${previous.version} (${previous.commit.slice(0, 7)}) and this release, ${perRole} and ${perRole} of each, on PostgreSQL ${programs.major}`,
)

const outcomes = new Map<Order, RolloutOutcome>()
for (const order of orders) {
  const outcome = await playRollout({ order, programs, previous, perRole, rows, startsPerSecond, say: printLine })
  outcomes.set(order, outcome)
  for (const words of brokenByRollout(outcome)) {
    process.exitCode = 1
    printLine(`${order}: BROKEN: ${words}`)
  }
}
process.stdout.write(`${rolloutTable(outcomes)}\n`)
printLine(process.exitCode === 1 ? 'a promise was broken' : 'every promise held')

function refuse(words: string): never {
  process.stderr.write(`${words}\n`)
  process.exit(2)
}
