import { benchFiles } from './files.ts'
import { benchGrowth } from './growth.ts'
import { benchIdle } from './idle.ts'
import { benchMemory } from './memory.ts'
import { benchRead } from './readAndStart.ts'
import { measureSandbox } from './sandbox.ts'
import { benchSeveralProcesses } from './severalProcesses.ts'
import { benchStarts } from './starts.ts'
import { benchStreams } from './streams.ts'
import { type Fixture, openFixture } from './support/fixture.ts'
import { parseBenchArguments } from './support/parseBenchArguments.ts'
import { printTable, type Row } from './support/table.ts'
import { benchThroughput } from './throughput.ts'
import { benchWaits } from './waits.ts'
import { benchWebhooks } from './webhooks.ts'

/**
 * Measures each row beside its limit in one run and prints a table. `npm run bench -- read start` runs only these groups;
 * `--postgres <folder>` uses the PostgreSQL programs of this folder instead of those of the package.
 */
const groups: Record<string, () => Promise<Row[]>> = {
  read: () => onFixture(benchRead),
  start: () => benchStarts({ postgresPrograms: options.postgresPrograms }),
  throughput: () => onFixture(benchThroughput),
  processes: () => benchSeveralProcesses({ postgresPrograms: options.postgresPrograms }),
  waits: () => onFixture(benchWaits),
  streams: () => onFixture(benchStreams),
  webhooks: () => onFixture(benchWebhooks),
  files: () => onFixture(benchFiles),
  growth: () => benchGrowth(options.postgresPrograms),
  idle: benchIdle,
  memory: benchMemory,
  sandbox: async () =>
    (await measureSandbox()).flatMap(({ name, medianMs, peakRssBytes }) => [
      { name: `sandbox ${name}`, ours: medianMs, unit: 'ms' },
      { name: `sandbox ${name}, memory`, ours: peakRssBytes / 2 ** 20, unit: 'MB' },
    ]),
}

async function onFixture(measure: (fixture: Fixture) => Promise<Row | Row[]>): Promise<Row[]> {
  const fixture = await openFixture({ postgresPrograms: options.postgresPrograms })
  try {
    return [await measure(fixture)].flat()
  } finally {
    await fixture.close()
  }
}

const options = parseBenchArguments(process.argv.slice(2), Object.keys(groups))

const rows: Row[] = []
for (const [name, measure] of Object.entries(groups)) {
  if (options.groups.length > 0 && !options.groups.includes(name)) continue
  process.stderr.write(`measuring ${name}…\n`)
  rows.push(...(await measure()))
}
printTable(rows)
