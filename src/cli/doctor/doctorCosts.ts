import { parseArgs } from 'node:util'
import { creditsOf } from '../../contract/hundredths.ts'
import { contextFor } from '../../domain/context.ts'
import { costsByMonth, type FamilyMonth } from '../../domain/credits/costsByMonth.ts'
import { openForCommand } from '../boot/openForCommand.ts'
import { openProviders } from '../boot/openProviders.ts'
import { embeddedOption, printDatabase, readCommandConfig } from '../boot/readCommandConfig.ts'

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
  const { services, close } = await openForCommand(config)
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

const heads = ['month', 'family', 'made', 'credits', 'in USD', 'cost USD', 'unreported', 'margin USD', 'margin']

/**
 * Formats costs as lines of a table. Charges are converted to dollars at the current rate; the margin is charges minus costs, with a `?`
 * if a vendor reported no cost for some of the work.
 */
export function costsTable(rows: readonly FamilyMonth[], { creditsPerUsd }: { creditsPerUsd: number }): string[] {
  const lines = [heads, ...rows.map((row) => cells(row, creditsPerUsd))]
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines.map((line) =>
    line
      .map((text, column) => (column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

function cells({ month, familyId, made, charged, costUsd, unreported }: FamilyMonth, creditsPerUsd: number): string[] {
  const credits = creditsOf(charged)
  const usd = credits / creditsPerUsd
  const doubt = unreported > 0 ? '?' : ''
  const share = usd > 0 ? `${Math.round(((usd - costUsd) / usd) * 100)}%${doubt}` : '-'
  return [
    month,
    familyId,
    String(made),
    credits.toFixed(2),
    usd.toFixed(2),
    costUsd.toFixed(2),
    String(unreported),
    `${(usd - costUsd).toFixed(2)}${doubt}`,
    share,
  ]
}
