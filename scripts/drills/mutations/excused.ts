import type { Mutant } from '../../../test/support/mutations/mutantsOf.ts'

type Excused = { path: string; from: string; to: string; reason: string }

/** Breaks that no test can or should notice. */
const excused: readonly Excused[] = [
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
]

export function reasonToExcuse(path: string, { from, to }: Mutant): string | undefined {
  return excused.find((each) => each.path === path && each.from === from && each.to === to)?.reason
}
