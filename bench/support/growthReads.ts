import type { latencyOf, Read } from './latency.ts'
import type { MeasuredTeams } from './loadHistory.ts'

type Asking = Pick<ReturnType<typeof latencyOf>, 'ask'>
type Listed = { nextCursor: string | null; items: { generationId: string }[] }

const deepPages = 20

/** Every list and read by name, for the large team and for an average one. */
export async function readsOf(asking: Asking, measured: MeasuredTeams, serviceToken: string): Promise<Record<string, Read>> {
  const reads: Record<string, Read> = {}
  for (const [name, team] of Object.entries(measured)) {
    const rest = (path: string, body?: unknown): Read => ({
      path: `/api/v1/${path}`,
      key: team.key,
      ...(body === undefined ? {} : { body }),
    })
    const graphql = (query: string): Read => ({ path: '/graphql', key: serviceToken, body: { query, variables: { id: team.teamId } } })
    const ofTeam = (fields: string) => graphql(`query ($id: ID!) { team(id: $id) { ${fields} } }`)
    const audit = (filter: string) => ofTeam(`auditLog(${filter}) { edges { node { id action } } }`)
    const first = (await asking.ask(rest('generations'))) as Listed
    const draft = { familyId: 'bench-image', prompt: 'a lighthouse' }
    const own: Record<string, Read> = {
      history: rest('generations'),
      'history, deep': rest(`generations?cursor=${await deepCursor(asking, rest)}`),
      'history, active': rest('generations?status=active'),
      'history, ready': rest('generations?status=ready'),
      'history, failed': rest('generations?status=failed'),
      'one generation': rest(`generations/${first.items.at(-1)?.generationId}`),
      account: rest('account'),
      estimate: rest('generations/estimate', draft),
      start: rest('generations', draft),
      ledger: ofTeam('ledger(first: 50) { edges { node { credits kind } } }'),
      'ledger, from its end': ofTeam('ledger(last: 50) { edges { node { credits kind } } }'),
      'usage by day': ofTeam(`usage(${span()}, by: DAY) { day generations creditsCharged }`),
      'usage by key': ofTeam(`usage(${span()}, by: KEY) { key { id } creditsCharged }`),
      'usage by family': ofTeam(`usage(${span()}, by: FAMILY) { familyId creditsCharged }`),
      'keys and members': ofTeam('apiKeys { edges { node { id heldCredits } } } members { edges { node { role } } }'),
      deliveries: ofTeam('webhookSubscriptions { edges { node { deliveries(first: 50) { edges { node { state attempts } } } } } }'),
      'deliveries, failed': ofTeam(
        'webhookSubscriptions { edges { node { deliveries(first: 50, state: FAILED) { edges { node { state attempts } } } } } }',
      ),
      'audit log': audit('first: 50'),
      'audit log, from its end': audit('last: 50'),
      'audit log, a rare action': audit('first: 50, action: MEMBER_REMOVED'),
      'audit log, a common action': audit('first: 50, action: KEY_UPDATED'),
      'audit log, a subject': audit(`first: 50, subjectId: "key_${'7'.padStart(26, '0')}"`),
    }
    for (const [what, read] of Object.entries(own)) reads[`${what}, ${name} team`] = read
  }
  return reads
}

async function deepCursor(asking: Asking, rest: (path: string) => Read): Promise<string> {
  let cursor = ''
  for (let pages = 0; pages < deepPages; pages += 1) {
    const page = (await asking.ask(rest(`generations?limit=10${cursor && `&cursor=${cursor}`}`))) as Listed
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  return cursor
}

function span(): string {
  const day = 86_400_000
  const moment = (days: number) => new Date(Math.floor(Date.now() / day) * day + days * day).toISOString()
  return `from: "${moment(-91)}", to: "${moment(1)}"`
}
