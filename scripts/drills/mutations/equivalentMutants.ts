import type { Mutant } from '../../../test/support/mutations/mutantsOf.ts'

/** `previous`: the line before, where several lines of the file have the text `from`. */
type EquivalentMutant = { path: string; previous?: string; from: string; to: string; reason: string }

const startGenerations = 'migrations/functions/start_generations.sql'

/** Breaks that change nothing that anyone can observe, so that no test can or should notice them. */
const equivalentMutants: readonly EquivalentMutant[] = [
  {
    path: startGenerations,
    previous: "if not 'started' = any (verdicts) then",
    from: 'return verdicts;',
    to: 'null;',
    reason: 'When no start is accepted, the statements that follow have no rows.',
  },
  {
    path: startGenerations,
    from: "perform refuse('credit_reservation_failed');",
    to: 'null;',
    reason: 'A last check: the account of an accepted start exists and is locked, so that its update always finds it.',
  },
  ...['daily', 'monthly'].map((period) => ({
    path: `src/domain/credits/${period}Ceiling.ts`,
    from: `if (${period}Limit === null || ${period}Left === null || price <= ${period}Left) return undefined`,
    to: `if (${period}Limit === null && ${period}Left === null || price <= ${period}Left) return undefined`,
    reason: 'What a ceiling leaves is null exactly when there is no ceiling.',
  })),
  ...['find(CreditAccount, { id: { $in: [...ids] } }, { refresh: true })', 'findOne(CreditAccount, owner, { refresh: true })'].map(
    (read) => ({
      path: 'src/domain/credits/grantCredits.ts',
      from: `return context.em().${read}`,
      to: `return context.em().${read.replace('true', 'false')}`,
      reason: 'The ORM merges the columns that it reads into an unchanged entity.',
    }),
  ),
  {
    path: 'src/domain/credits/nearestLimits.ts',
    from: 'return left === 0 || (spent ?? 0) + (held ?? 0) > 0',
    to: 'return left === 0 || (spent) + (held ?? 0) > 0',
    reason: 'Ceilings of keys always have amounts.',
  },
  {
    path: 'src/domain/credits/recountLedger.ts',
    from: "after = counted.at(-1)?.accountId ?? ''",
    to: 'after = counted.at(-1)?.accountId',
    reason: 'After an empty page the loop ends or begins again.',
  },
  {
    path: 'src/domain/credits/usageSums.ts',
    from: 'select day, family_id, ${sums} from usage_sums where ${own} and day between ${first} and least(${last}, ${until} - 1)',
    to: 'select day, family_id, ${sums} from usage_sums where ${own} and day between ${first} and least(${last}, ${until} + 1)',
    reason: 'The table has no day that is not summed up.',
  },
  {
    path: 'src/domain/credits/usageSums.ts',
    from: 'const accounts = (await sql.one(sumUp, [accountsAtOnce]))?.accounts ?? 0',
    to: 'const accounts = (await sql.one(sumUp, [accountsAtOnce]))?.accounts',
    reason: 'The statement always returns a row.',
  },
]

export function reasonOfEquivalence(path: string, { line, from, to, text }: Mutant): string | undefined {
  const previous = text.split('\n')[line - 2]?.trim()
  return equivalentMutants.find(
    (each) => each.path === path && each.from === from && each.to === to && (each.previous === undefined || each.previous === previous),
  )?.reason
}
