import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Read } from '../latency.ts'
import type { ReadSubjects } from './readSubjects.ts'
import { graphqlRead } from './request.ts'

type Variables = Record<string, unknown>

const source = join(import.meta.dirname, '../../../src/admin-ui')

/** Queries of the signed-in person, which a service token cannot send. The `user` field of `graphqlReads` reads the same lists. */
export const personalQueries = ['AgentKeys', 'OwnAccount', 'PersonalAccount', 'Sessions', 'Viewer']

/** Every query of the admin UI, read from its source, with the filters that its screens offer. */
export function screenReads(token: string, subjects: ReadSubjects): Record<string, Read> {
  const given = screenVariables(subjects)
  const queries = screenQueries()
  const unknown = Object.keys(given).filter((operation) => !(operation in queries))
  if (unknown.length > 0) throw new Error(`growth reads: the admin UI has no query ${unknown.join(', ')}`)
  const reads: Record<string, Read> = {}
  for (const [operation, text] of Object.entries(queries)) {
    if (personalQueries.includes(operation)) continue
    const variants = given[operation]
    if (variants === undefined) throw new Error(`growth reads: the query ${operation} of the admin UI has no variables in screenReads.ts`)
    for (const [variant, variables] of Object.entries(variants)) {
      const name = variant === '' ? `screen ${operation}` : `screen ${operation}, ${variant}`
      reads[name] = graphqlRead(token, text, variables)
    }
  }
  return reads
}

/** The text of each query by its name, with the fragments that it uses. */
export function screenQueries(): Record<string, string> {
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).map((path) => readFileSync(join(source, path), 'utf8'))
  const documents = files.flatMap((text) =>
    [...text.matchAll(/`\s*((?:query|fragment) \w+[^`]+)`/g)].map(([, document = '']) => document.trim()),
  )
  const fragments = new Map(documents.flatMap((text) => matched(/^fragment (\w+)/, text).map((name) => [name, text] as const)))
  const queries = documents.flatMap((text) => matched(/^query (\w+)/, text).map((name) => [name, text] as const))
  return Object.fromEntries(
    queries.map(([name, text]) => {
      const used = [...text.matchAll(/\.\.\.(\w+)/g)].map(([, fragment = '']) => fragments.get(fragment) ?? '')
      return [name, [text, ...used].join('\n')]
    }),
  )
}

const matched = (pattern: RegExp, text: string) => [...(pattern.exec(text) ?? [])].slice(1)

/** The variables of each query, by the name of the query and of the variant. */
function screenVariables(subjects: ReadSubjects): Record<string, Record<string, Variables>> {
  const { teamId, keyId, userId, subscriptionId, generationId, deliveryId, familyId, fileId } = subjects
  const { moments, commonWord, missingWord } = subjects
  const team = { team: teamId }
  const ofTeam = { '': team }
  const named = { '': { teamId } }
  const isManager = true
  const found = { 'search of a common word': { ...team, search: 'e' }, 'search of a missing word': { ...team, search: missingWord } }
  return {
    ...historyVariables(subjects),
    ...usageVariables(subjects),
    ...deliveryAndAuditVariables(subjects),
    Generation: { '': { teamId, id: generationId } },
    GenerationPage: { '': { teamId, id: generationId, isManager } },
    InputFiles: { '': { teamId, ids: fileId === undefined ? [] : [fileId] } },
    RecentGenerations: { '': { ...team, keyId } },
    PaletteWork: {
      'search of a common word': { ...team, search: commonWord },
      'search of a missing word': { ...team, search: missingWord },
      'search of a part of an identifier': { ...team, search: generationId.slice(0, -4) },
    },
    PaletteGeneration: { '': { ...team, id: generationId } },
    PaletteAccess: found,
    PaletteMembers: found,
    PaletteFamilies: ofTeam,
    StandingNotice: ofTeam,
    TeamAlerts: ofTeam,
    OverviewStanding: ofTeam,
    OverviewWork: { '30 days': { ...team, ...moments.days30 } },
    OverviewAccess: ofTeam,
    Catalog: named,
    CatalogFamily: { '': { teamId, id: familyId } },
    RefusedKeys: { '': { ...team, family: familyId, since: moments.days30.from } },
    EstimateGeneration: { '': { teamId, input: { familyId, prompt: 'a lighthouse' } } },
    TrialFamilies: named,
    Playground: { '': { teamId, userId } },
    Keys: {
      '': { teamId },
      live: { teamId, state: 'LIVE' },
      'search of a common word': { teamId, search: 'e' },
    },
    Key: { '': { id: keyId } },
    KeyInUse: { '': { id: keyId } },
    KeyRefusals: { '': { id: keyId } },
    Team: ofTeam,
    Members: { '': { ...team, mayManage: isManager } },
    Member: { '': { ...team, user: userId } },
    Ledger: { '': { ...team, grantsOnly: false }, 'grants only': { ...team, grantsOnly: true } },
    Invitations: ofTeam,
    Groups: ofTeam,
    Settings: ofTeam,
    CallbackSecret: ofTeam,
    FailingCallbacks: ofTeam,
    AlertSubscriptions: ofTeam,
    AlertNames: ofTeam,
    WebhookNames: ofTeam,
    Webhooks: ofTeam,
    Webhook: { '': { ...team, id: subscriptionId } },
    WebhookDays: { '': { id: subscriptionId } },
    Delivery: deliveryId === undefined ? {} : { '': { id: deliveryId } },
    DeliveryRow: deliveryId === undefined ? {} : { '': { id: deliveryId } },
  }
}

function historyVariables(subjects: ReadSubjects): Record<string, Record<string, Variables>> {
  const { teamId, keyId, userId, familyId, reference, commonWord, missingWord, deepAfter, moments } = subjects
  const day = { createdAfter: moments.oneDay.from, createdBefore: moments.oneDay.to }
  const filters: Record<string, Variables> = {
    'no filter': {},
    ready: { state: 'READY' },
    failed: { state: 'FAILED' },
    running: { state: 'RUNNING' },
    'source REST': { source: 'REST' },
    'a family': { familyId },
    'a type of output': { outputType: 'AUDIO' },
    'a key': { apiKeyId: keyId },
    'a person': { userId },
    'a reference': { reference },
    'search of a common word': { search: commonWord },
    'search of a missing word': { search: missingWord },
    'a day': day,
    'a day, a key, failed': { ...day, apiKeyId: keyId, state: 'FAILED' },
    'a day, search of a missing word': { ...day, search: missingWord },
  }
  const withTeam = (extra: Variables) =>
    Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, { teamId, ...extra, ...filter }]))
  const first = 50
  return {
    History: { ...withTeam({ first }), ...(deepAfter === undefined ? {} : { deep: { teamId, first, after: deepAfter } }) },
    HistoryCount: withTeam({}),
    HistoryChoices: { '': { teamId } },
    HistoryPersonChoices: { '': { teamId, search: 'e' } },
    HistoryKeyChoices: { '': { teamId, search: 'e' } },
  }
}

function usageVariables({ teamId: team, keyId, familyId, moments: { days92, days30 } }: ReadSubjects) {
  return {
    Standing: { '': { team } },
    UsageDays: { '30 days': { team, ...days30 }, '92 days': { team, ...days92 } },
    UsageGroups: {
      '30 days by key': { team, ...days30, by: 'KEY', split: 'KEY', first: 10 },
      '92 days by key': { team, ...days92, by: 'KEY', split: 'KEY', first: 10 },
      '92 days by family': { team, ...days92, by: 'FAMILY', split: 'FAMILY', first: 10 },
    },
    KeyOrFamilyUsage: {
      '92 days of a key': { team, ...days92, key: keyId },
      '92 days of a family': { team, ...days92, family: familyId },
    },
    KeyDays: { '30 days': { team, keyId, ...days30 } },
  }
}

function deliveryAndAuditVariables({ teamId: team, subscriptionId, auditSubject, auditActor, moments }: ReadSubjects) {
  const day = { since: moments.oneDay.from, until: moments.oneDay.to }
  return {
    Deliveries: {
      '': { team },
      failed: { team, state: 'FAILED' },
      pending: { team, state: 'PENDING' },
      'a webhook': { team, webhook: subscriptionId },
      'a webhook, failed': { team, webhook: subscriptionId, state: 'FAILED' },
      callbacks: { team, kind: 'CALLBACK' },
      alerts: { team, kind: 'ALERT' },
      'an event': { team, event: 'GENERATION_COMPLETED' },
      'an event without deliveries': { team, event: 'GENERATION_FAILED' },
      'a day': { team, ...day },
      'failed of a day': { team, ...day, state: 'FAILED' },
    },
    Audit: {
      '': { team },
      'an actor': { team, actor: auditActor },
      'a subject': { team, subject: auditSubject },
      'a rare action': { team, action: 'MEMBER_REMOVED' },
      'an action without entries': { team, action: 'FILE_DELETED' },
      'a day': { team, ...day },
      'an actor, a rare action, a day': { team, ...day, actor: auditActor, action: 'MEMBER_REMOVED' },
    },
    Actors: { '': { team } },
    RecentEntries: { 'of a subject': { team, subjectId: auditSubject }, 'of an actor': { team, actorId: auditActor } },
  }
}
