import type { Context, GroupProvider } from '../../context.ts'
import { statement } from '../../sql.ts'

type ClaimOfIssuer = Pick<GroupProvider, 'issuer' | 'claim'>

export type GroupsClaimOutcome = 'read' | 'missing' | 'malformed'

/** What the last sign-in carried. `failures`: consecutive sign-ins without a usable claim; `failingSince`: the first of them. */
export type GroupsClaim = { signedInAt: Date; outcome: GroupsClaimOutcome; failures: number; failingSince: Date | null }

/** After this many consecutive sign-ins without the claim, the issuer's settings are more likely the cause than people without groups. */
export const groupsClaimFaultAfter = 3

const record = statement<never>(
  'record_groups_claim',
  `insert into auth.groups_claims as stored (issuer, claim, signed_in_at, outcome, failures, failing_since)
     select $1, $2, present(), $3::text, failed::integer, case when failed then present() end from (select $3::text <> 'read' as failed) as outcome
   on conflict (issuer, claim) do update set signed_in_at = excluded.signed_in_at, outcome = excluded.outcome,
     failures = case when excluded.failures = 0 then 0 else stored.failures + 1 end,
     failing_since = case when excluded.failures > 0 then coalesce(stored.failing_since, excluded.failing_since) end
   where stored.outcome <> excluded.outcome or stored.failures between 1 and ${groupsClaimFaultAfter - 1}
     or stored.signed_in_at < excluded.signed_in_at - interval '1 minute'`,
)
const read = statement<GroupsClaim>(
  'read_groups_claim',
  'select signed_in_at, outcome, failures, failing_since from auth.groups_claims where issuer = $1 and claim = $2',
)

/** Records whether a sign-in carried the groups claim. Equal outcomes are written at most once a minute, so that sign-ins do not queue. */
export async function recordGroupsClaim({ sql }: Pick<Context, 'sql'>, claim: ClaimOfIssuer, outcome: GroupsClaimOutcome): Promise<void> {
  await sql.all(record, [claim.issuer, claim.claim, outcome])
}

/** Reads what the last sign-in carried as this claim; undefined before the first. */
export function lastGroupsClaim({ sql }: Pick<Context, 'sql'>, { issuer, claim }: ClaimOfIssuer): Promise<GroupsClaim | undefined> {
  return sql.one(read, [issuer, claim])
}
