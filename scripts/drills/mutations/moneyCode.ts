import { execFileSync } from 'node:child_process'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const filesBelow = (folder: string) => execFileSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' }).trimEnd().split('\n')

/** The SQL functions that move or count credits, with the test files that are most likely to notice a break. */
const functions: Readonly<Record<string, readonly string[]>> = {
  adjust_credits: ['domain/credits/grantCreditsAdjustments'],
  count_charge: [
    'domain/credits/monthlyCeiling',
    'domain/credits/dayOfCapture',
    'domain/credits/dailyCeiling',
    'domain/credits/checkBooks',
  ],
  count_usage: ['domain/credits/usageOf', 'domain/credits/usageByDay', 'domain/credits/usageByLabel', 'domain/generations/ending/endReady'],
  count_usage_labels: ['domain/credits/usageByLabel'],
  months_that_differ: ['domain/credits/recountMonths'],
  recount_months: ['domain/credits/recountMonths'],
  take_usage_name: ['domain/credits/usageByLabel'],
  daily_left: ['domain/credits/dailyCeiling', 'domain/credits/nearestLimits'],
  end_generation: [
    'domain/generations/ending/endGeneration',
    'domain/credits/checkBooks',
    'domain/vendors/trials',
    'domain/vendors/grantVendorSlots',
    'domain/generations/start/startQueues',
    'schema/teams/teamRuns',
    'rest/waiting.test',
  ],
  end_stored_results: [
    'domain/generations/ending/endReady',
    'jobs/steps/finaliseAnswer',
    'domain/credits/usageOf',
    'domain/credits/usageByLabel',
    'domain/credits/checkBooks',
    'domain/vendors/trials',
    'domain/vendors/breakers',
    'rest/limits',
    'rest/webhooks',
  ],
  entries_sum_to_zero: ['domain/credits/recountLedger', 'domain/credits/checkBooks'],
  grant_credits: ['domain/credits/grantCredits'],
  monthly_left: ['domain/credits/monthlyCeiling', 'domain/credits/nearestLimits'],
  person_daily_left: ['domain/credits/personSpending', 'schema/teams/teamRuns'],
  post_to_ledger: ['domain/credits/grantCredits', 'domain/credits/listLedger'],
  refuse_ledger_change: ['domain/credits/recountLedger', 'domain/credits/listLedger'],
  settle_credits: ['domain/credits/dayOfCapture', 'domain/credits/monthlyCeiling', 'domain/credits/checkBooks'],
  settle_person: ['domain/credits/personSpending', 'schema/teams/teamRuns'],
  spent_this_month: ['domain/credits/monthlyCeiling'],
  spent_today: ['domain/credits/dailyCeiling', 'domain/credits/dayOfCapture'],
  start_generations: [
    'rest/idempotency',
    'domain/generations/start/insertStarts',
    'domain/generations/start/startBatcher',
    'schema/teams/teamRuns',
    'rest/limits',
    'rest/files/fileInputs',
    'domain/credits/dailyCeiling',
    'domain/credits/checkBooks',
  ],
}

const pathOf = (name: string) => `migrations/functions/${name}.sql`

/** The files that are broken. */
export const moneyCode = [...Object.keys(functions).map(pathOf), ...filesBelow('src/domain/credits')]

/** The test files of money. */
export const moneyTests = [
  'test/domain/credits',
  'test/domain/generations/ending',
  'test/domain/generations/start',
  'test/domain/vendors',
  'test/domain/webhooks/alerts',
  'test/rest/cancel.test.ts',
  'test/rest/ceilings.test.ts',
  'test/rest/files/fileInputs.test.ts',
  'test/rest/idempotency.test.ts',
  'test/rest/limits.test.ts',
  'test/rest/spending.test.ts',
  'test/rest/startGeneration.test.ts',
  'test/rest/usage.test.ts',
  'test/rest/waiting.test.ts',
  'test/rest/webhooks.test.ts',
  'test/schema/teams/teamRuns.test.ts',
]
  .flatMap(filesBelow)
  .filter((path) => path.endsWith('.test.ts'))

/** Rules of `src` whose refusals a door tests. */
const doors: Readonly<Record<string, readonly string[]>> = {
  dailyCeiling: ['rest/ceilings'],
  lowCreditsThreshold: ['domain/webhooks/alerts/'],
  personSpending: ['schema/teams/teamRuns'],
  spending: ['rest/spending', 'rest/ceilings'],
  usageSums: ['domain/credits/usageByDay', 'domain/credits/usageOf'],
  workUnderWay: ['domain/credits/nearestLimits'],
}

/** The test files of a broken file itself, such as `grantCredits.test.ts` and `grantCreditsAdjustments.test.ts`. */
export function testsOf(path: string): string[] {
  const name = basename(path).replace(/\.(?:sql|ts)$/, '')
  const listed = path.endsWith('.sql') ? functions[name] : [`domain/credits/${name}`, ...(doors[name] ?? [])]
  return moneyTests.filter((test) => listed?.some((each) => test.startsWith(`test/${each}`)))
}
