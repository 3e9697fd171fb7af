import { inspect } from 'node:util'
import { benchCosts } from './costs.ts'
import { benchFiles } from './files.ts'
import { benchGrowth } from './growth.ts'
import { benchIdle } from './idle.ts'
import { benchMemory } from './memory.ts'
import { benchRead } from './read.ts'
import { measureSandbox } from './sandbox.ts'
import { benchSaturation } from './saturation.ts'
import { benchScreens } from './screens.ts'
import { benchSeveralProcesses } from './severalProcesses.ts'
import { benchStarts } from './starts.ts'
import { benchStreams } from './streams.ts'
import { type Fixture, openFixture } from './support/fixture.ts'
import { parseBenchArguments } from './support/parseBenchArguments.ts'
import { compareWith, writeResults } from './support/results.ts'
import { printTable, type Row } from './support/table.ts'
import { benchThroughput } from './throughput.ts'
import { benchWaits } from './waits.ts'
import { benchWebhooks } from './webhooks.ts'

/**
 * Measures each row beside its limit in one run and prints a table. `npm run bench -- read start` runs only these groups;
 * `--postgres <folder>` uses the PostgreSQL programs of this folder instead of those of the package. `--json <file>` writes the rows, and
 * `--compare <file>` prints their change since such a file was written.
 */
const groups: Record<string, () => Promise<Row[]>> = {
  read: () => onFixture(benchRead),
  start: () => benchStarts(options),
  costs: () => onFixture(benchCosts),
  throughput: () => onFixture(benchThroughput),
  processes: async () => [...(await benchSeveralProcesses(options)), ...(await benchSaturation(options))],
  waits: () => onFixture(benchWaits),
  streams: () => onFixture(benchStreams),
  webhooks: () => onFixture(benchWebhooks),
  files: () => onFixture(benchFiles),
  growth: () => benchGrowth(options.postgresPrograms),
  screens: () => benchScreens(options.postgresPrograms),
  idle: benchIdle,
  memory: benchMemory,
  sandbox: async () =>
    (await measureSandbox()).flatMap(({ name, medianMs, peakRssBytes }) => [
      { name: `sandbox ${name}`, ours: medianMs, unit: 'ms' },
      { name: `sandbox ${name}, memory`, ours: peakRssBytes / 2 ** 20, unit: 'MB' },
    ]),
}

/** Run only on request: a few seconds for what a change is likely to make dearer, and a part of `processes`. */
const partialGroups: typeof groups = {
  saturation: () => benchSaturation(options),
  quick: () =>
    onFixture(async (fixture) => [
      await benchRead(fixture, { rounds: 1, seconds: 1 }),
      ...(await benchCosts(fixture, { generations: 100 })),
    ]),
}

async function onFixture(measure: (fixture: Fixture) => Promise<Row | Row[]>): Promise<Row[]> {
  const fixture = await openFixture(options)
  try {
    return [await measure(fixture)].flat()
  } finally {
    await fixture.close()
  }
}

const everyGroup = { ...groups, ...partialGroups }
const options = parseBenchArguments(process.argv.slice(2), Object.keys(everyGroup))

const rows: Row[] = []
for (const [name, measure] of Object.entries(options.groups.length > 0 ? everyGroup : groups)) {
  if (options.groups.length > 0 && !options.groups.includes(name)) continue
  process.stderr.write(`measuring ${name}…\n`)
  // A group that cannot run on this machine leaves the rows of the others.
  await measure().then(
    (measured) => void rows.push(...measured),
    (error: unknown) => {
      process.stderr.write(`${name} failed: ${inspect(error)}\n`)
      process.exitCode = 1
    },
  )
}
printTable(rows)
if (options.json !== undefined) await writeResults(options.json, rows)
if (options.compare !== undefined) await compareWith(options.compare, rows)
