import type { Read } from '../latency.ts'
import type { ReadSubjects, Span } from './readSubjects.ts'
import { graphqlRead } from './request.ts'

/** Every list and filter of GraphQL that no screen sends; the others are in `screenReads`. */
export function graphqlReads(token: string, subjects: ReadSubjects): Record<string, Read> {
  const { teamId, userId, subscriptionId } = subjects
  const team = (fields: string) => `team(id: "${teamId}") { ${fields} }`
  const ofTeam = { ...historyFields(subjects), ...usageFields(subjects), ...logFields(subjects), ...keyAndFileFields(subjects) }
  const queries: Record<string, string> = {
    ...Object.fromEntries(Object.entries(ofTeam).map(([name, fields]) => [name, team(fields)])),
    ...rootFields(subjects),
    ...personFields(userId),
    'deliveries of all webhooks': team(`webhookSubscriptions(first: 50) { nodes { ${deliveries('first: 50')} } }`),
    'deliveries of all webhooks, failed': team(`webhookSubscriptions(first: 50) { nodes { ${deliveries('first: 50, state: FAILED')} } }`),
    'a webhook, deliveries from the end': webhook(subscriptionId, deliveries('last: 50')),
    'a webhook, deliveries of an event': webhook(subscriptionId, deliveries('first: 50, event: GENERATION_COMPLETED')),
    'a webhook, deliveries of a day': webhook(subscriptionId, deliveries(`first: 50, ${since(subjects.moments.oneDay)}`)),
  }
  return Object.fromEntries(Object.entries(queries).map(([name, query]) => [`GraphQL, ${name}`, graphqlRead(token, `{ ${query} }`, {})]))
}

const webhook = (id: string, fields: string) => `webhookSubscription(id: "${id}") { ${fields} }`
const deliveries = (filter: string) => `deliveries(${filter}) { nodes { id state attempts } }`
const since = ({ from, to }: Span) => `since: "${from}", until: "${to}"`
const created = ({ from, to }: Span) => `createdAfter: "${from}", createdBefore: "${to}"`
const span = ({ from, to }: Span) => `from: "${from}", to: "${to}"`

/** Filters of the history and of its count that no screen sends. */
function historyFilters({ keyId, userId, metadata, missingWord, moments }: ReadSubjects): Record<string, string> {
  const entries = Object.entries(metadata).map(([name, value]) => `${name}: "${value}"`)
  return {
    active: 'status: ACTIVE',
    'a key, ready': `keyId: "${keyId}", state: READY`,
    'a person, failed': `userId: "${userId}", state: FAILED`,
    'source MCP, which has none': 'source: MCP',
    metadata: `metadata: { ${entries.join(', ')} }`,
    'search of a missing word in 30 days': `search: "${missingWord}", ${created(moments.days30)}`,
    'search in a key': `search: "${missingWord}", keyId: "${keyId}"`,
  }
}

function historyFields(subjects: ReadSubjects): Record<string, string> {
  const rows = '{ nodes { generationId state prompt } lookedBackTo pageInfo { hasNextPage endCursor } }'
  const fields: Record<string, string> = {}
  for (const [name, filter] of Object.entries(historyFilters(subjects))) {
    fields[`history, ${name}`] = `generations(first: 50, ${filter}) ${rows}`
    fields[`count, ${name}`] = `generationCount(${filter}) { count isComplete }`
  }
  return fields
}

function usageFields({ moments: { days92 } }: ReadSubjects): Record<string, string> {
  const figures = 'generations ready failed cancelled creditsCharged'
  return {
    'usage by reference': `usage(${span(days92)}, by: REFERENCE) { ${figures} }`,
    'usage by metadata': `usage(${span(days92)}, by: METADATA, name: "project") { ${figures} }`,
    'spent this month': 'spentThisMonthCredits',
  }
}

function logFields({ auditSubject, auditActor, moments }: ReadSubjects): Record<string, string> {
  const ledger = (filter: string) => `ledger(${filter}) { nodes { kind credits familyId key { id } } }`
  const audit = (filter: string) => `auditLog(${filter}) { nodes { id action actorName subjectName } }`
  const sent = (filter: string) => `webhookDeliveries(${filter}) { nodes { id state attempts address } }`
  return {
    'ledger, from its end': ledger('last: 50'),
    'audit log, from its end': audit('last: 50'),
    'audit log, a common action': audit('first: 50, action: KEY_UPDATED'),
    'audit log, a subject and a rare action': audit(`first: 50, subjectId: "${auditSubject}", action: MEMBER_REMOVED`),
    'audit log, an actor and a rare action': audit(`first: 50, actorId: "${auditActor}", action: MEMBER_REMOVED`),
    'audit log, a rare action in a day': audit(`first: 50, action: MEMBER_REMOVED, ${since(moments.oneDay)}`),
    'deliveries, from the end': sent('last: 50'),
    'deliveries, retrying': sent('first: 50, state: RETRYING'),
    'deliveries, callbacks': sent('first: 50, callbacks: true'),
    'deliveries, webhooks': sent('first: 50, kind: WEBHOOK'),
  }
}

function keyAndFileFields({ userId }: ReadSubjects): Record<string, string> {
  const keys = '{ nodes { id state hints heldCredits spentTodayCredits spentThisMonthCredits } }'
  return {
    'keys, live, of a person': `apiKeys(first: 50, state: LIVE, issuedBy: "${userId}") ${keys}`,
    files: 'files(first: 50) { nodes { fileId } }',
    'files, from the end': 'files(last: 50) { nodes { fileId } }',
    'files, a type': 'files(first: 50, type: IMAGE) { nodes { fileId } }',
    'files, a type without files': 'files(first: 50, type: AUDIO) { nodes { fileId } }',
    'files, unused': 'files(first: 50, unused: true) { nodes { fileId } }',
  }
}

/** The lists of a whole deployment, and those that REST and internal tools share. */
function rootFields(subjects: ReadSubjects): Record<string, string> {
  const { teamId, userId, auditActor, auditSubject, moments } = subjects
  const log = (filter: string) => `auditLog(first: 50${filter}) { nodes { id action } }`
  return {
    'history of the root': `generations(teamId: "${teamId}", first: 50) { nodes { generationId } }`,
    teams: 'teams(first: 50) { nodes { id name } }',
    'teams, search': 'teams(first: 50, search: "average") { nodes { id name } }',
    users: 'users(first: 50) { nodes { id name } }',
    'users, search': 'users(first: 50, search: "average") { nodes { id name } }',
    'service tokens': 'serviceTokens(first: 50) { nodes { id } }',
    sessions: `sessions(userId: "${userId}") { id }`,
    'audit log of all teams': log(''),
    'audit log of all teams, a rare action': log(', action: MEMBER_REMOVED'),
    'audit log of all teams, an action without entries': log(', action: FILE_DELETED'),
    'audit log of all teams, an actor': log(`, actorId: "${auditActor}"`),
    'audit log of all teams, a subject': log(`, subjectId: "${auditSubject}"`),
    'audit log of all teams, a day': log(`, ${since(moments.oneDay)}`),
    'audit log of the team by the root': log(`, teamId: "${teamId}"`),
  }
}

function personFields(userId: string): Record<string, string> {
  const person = (fields: string) => `user(id: "${userId}") { ${fields} }`
  return {
    'a person, history': person('generations(first: 50) { nodes { generationId } }'),
    'a person, ledger': person('ledger(first: 50) { nodes { kind credits } }'),
    'a person, keys and teams': person('apiKeys(first: 50) { nodes { id } } memberships(first: 50) { nodes { role } }'),
    'a person, agent keys': person('agentKeys(first: 50) { nodes { id } } account { creditsAvailable }'),
  }
}
