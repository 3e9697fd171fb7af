import type { Read } from '../latency.ts'
import type { MeasuredTeams } from '../loadHistory.ts'
import { graphqlReads } from './graphqlReads.ts'
import { subjectsOf } from './readSubjects.ts'
import type { Asking } from './request.ts'
import { restReads, startRead } from './restReads.ts'
import { screenReads } from './screenReads.ts'

/**
 * Every list and filter of REST, of GraphQL and of the screens by name, for the large team and for an average one. A test checks that
 * none is missing. A team with few generations has no reads of a deep page.
 */
export async function readsOf(asking: Asking, measured: MeasuredTeams, serviceToken: string): Promise<Record<string, Read>> {
  const reads: Record<string, Read> = {}
  const starts: Record<string, Read> = {}
  for (const [owner, [name, team]] of Object.entries(measured).entries()) {
    const subjects = await subjectsOf(asking, team, owner, serviceToken)
    const own = {
      ...restReads(team.key, subjects),
      ...graphqlReads(serviceToken, subjects),
      ...screenReads(serviceToken, subjects),
    }
    for (const [what, read] of Object.entries(own)) reads[`${what}, ${name} team`] = read
    starts[`start, ${name} team`] = startRead(team.key, subjects)
  }
  return { ...reads, ...starts }
}
