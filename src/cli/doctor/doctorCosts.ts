import { parseArgs } from 'node:util'
import { contextFor } from '../../domain/context.ts'
import { costsByMonth } from '../../domain/credits/costsByMonth.ts'
import { openForDoctor } from '../boot/openForDoctor.ts'
import { openProviders } from '../boot/openProviders.ts'
import { embeddedOption, printDatabase, readCommandConfig } from '../boot/readCommandConfig.ts'
import { costsTable } from './costsTable.ts'

const monthsMax = 120

export const costsUsage = `atelier doctor costs [--months <1 to ${monthsMax}>] [--embedded]

Compares charges with the costs that vendors reported, by month (UTC) and family, the newest first; by default 3 months.
Credits are converted by CREDITS_PER_USD. "unreported" counts generations whose vendor reported no cost in dollars.
Needs DATABASE_URL, or --embedded for the embedded database in DATA_DIR.
`

/** Prints the table of costs; returns 2 for wrong arguments. Read-only. */
export async function doctorCosts(args: string[]): Promise<number> {
  const asked = readArguments(args)
  if (!asked) {
    process.stderr.write(costsUsage)
    return 2
  }
  const config = await readCommandConfig('doctor', asked)
  printDatabase(config)
  const { services, close } = await openForDoctor(config)
  const providers = openProviders(services, config.vendors)
  try {
    const without = providers.list().flatMap(({ id, simulated }) => (simulated ? [id] : []))
    const rows = await costsByMonth(contextFor(services, { kind: 'system' }), { months: asked.months, without })
    process.stdout.write(rows.length === 0 ? 'No work of a vendor ended in this time.\n' : `${costsTable(rows, config.rates).join('\n')}\n`)
    return 0
  } finally {
    await providers.close()
    await close()
  }
}

function readArguments(args: string[]): { months: number; embedded: boolean } | undefined {
  try {
    const { values } = parseArgs({ args, options: { months: { type: 'string', default: '3' }, ...embeddedOption } })
    const months = /^\d{1,3}$/.test(values.months) ? Number(values.months) : 0
    return months >= 1 && months <= monthsMax ? { months, embedded: values.embedded } : undefined
  } catch {
    return undefined
  }
}
