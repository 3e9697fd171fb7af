import { groupsClaimFaultAfter, lastGroupsClaim } from '../../domain/access/sessions/groupsClaims.ts'
import type { GroupProvider, Services } from '../../domain/context.ts'
import { bindSql } from '../../domain/sql.ts'
import { type Check, CheckFault } from './check.ts'

/** Checks that sign-ins carry the claim with the groups of the person. */
export function groupsClaimCheck({ pool }: Pick<Services, 'pool'>, provider: GroupProvider): Check {
  return { name: 'groups', run: () => describeGroupsClaim(pool, provider) }
}

async function describeGroupsClaim(pool: Services['pool'], provider: GroupProvider): Promise<string> {
  const last = await lastGroupsClaim({ sql: bindSql(pool) }, provider)
  const { name, claim } = provider
  if (!last) return `nobody has signed in with ${name} since the claim \`${claim}\` was set`
  const { outcome, failures, failingSince } = last
  const at = `the last sign-in, at ${last.signedInAt.toISOString().slice(0, 16).replace('T', ' ')} UTC,`
  if (outcome === 'read') return `${at} carried the claim \`${claim}\``
  const words =
    outcome === 'missing' ? `${at} carried no claim \`${claim}\`` : `${at} carried a claim \`${claim}\` that is no list of texts`
  if (failures < groupsClaimFaultAfter) return `${words}; a fault from the third such sign-in in a row`
  throw new CheckFault(`${words}; the sign-ins before it carried no usable claim either`, failingSince ?? undefined)
}
