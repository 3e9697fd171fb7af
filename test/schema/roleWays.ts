/** Capital words stand for identifiers of things that belong to one team; FIELD for the field that is asked for. */

const boat = '{ familyId: "sandbox-image", prompt: "a boat" }'
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const team = (inner: string) => `{ team(id: "TEAM") { ${inner} } }`
const user = (inner: string) => `{ user(id: "USER") { ${inner} } }`
const hook = (inner: string) => `{ webhookSubscription(id: "HOOK") { ${inner} } }`

/** What is written where a root field stands, without the selection that follows it. */
export const rootFields: Record<string, string> = {
  'Query.viewer': 'viewer',
  'Query.families': 'families',
  'Query.family': 'family(id: "sandbox-image")',
  'Query.estimate': `estimate(teamId: "TEAM", input: ${boat})`,
  'Query.generation': 'generation(id: "READY")',
  'Query.generations': 'generations(teamId: "TEAM")',
  'Query.history': 'history(teamId: "TEAM", limit: 50)',
  'Query.file': 'file(id: "FILE")',
  'Query.account': 'account(teamId: "TEAM")',
  'Query.team': 'team(id: "TEAM")',
  'Query.user': 'user(id: "USER")',
  'Query.webhookSubscription': 'webhookSubscription(id: "HOOK")',
  'Query.webhookDelivery': 'webhookDelivery(id: "DELIVERY")',
  'Mutation.startGeneration': `startGeneration(teamId: "TEAM", input: ${boat})`,
  'Mutation.cancelGeneration': 'cancelGeneration(id: "QUEUED")',
  'Mutation.uploadFile': `uploadFile(input: { teamId: "TEAM", base64: "${pixel}" })`,
  'Mutation.createTeam': 'createTeam(input: { name: "New" })',
  'Mutation.updateTeam': 'updateTeam(input: { id: "TEAM", name: "Renamed" })',
  'Mutation.createUser': 'createUser(input: { email: "new@example.test", name: "New" })',
  'Mutation.updateUser': 'updateUser(input: { id: "USER", name: "Renamed" })',
  'Mutation.setTeamMember': 'setTeamMember(input: { teamId: "TEAM", userId: "SPARE", role: ADMIN })',
  'Mutation.addTeamMember': 'addTeamMember(input: { teamId: "TEAM", email: "ADDED", role: MEMBER })',
  'Mutation.removeTeamMember': 'removeTeamMember(input: { teamId: "TEAM", userId: "SPARE" })',
  'Mutation.grantCredits': 'grantCredits(input: { teamId: "TEAM", credits: 1, note: "more", idempotencyKey: "matrix" })',
  'Mutation.setFamilyAvailability': 'setFamilyAvailability(input: { familyId: "sandbox-3d", available: true })',
  'Mutation.setFamilyAccess': 'setFamilyAccess(input: { familyId: "sandbox-3d", teamId: "TEAM", granted: true })',
  'Mutation.issueApiKey': 'issueApiKey(input: { teamId: "TEAM", name: "new", scopes: [MCP] })',
  'Mutation.updateApiKey': 'updateApiKey(input: { id: "KEY", name: "renamed" })',
  'Mutation.revokeApiKey': 'revokeApiKey(input: { id: "DOOMED_K" })',
  'Mutation.recordEditorGeneration':
    'recordEditorGeneration(input: { teamId: "TEAM", userId: "USER", familyId: "x", outputType: IMAGE, state: RUNNING })',
  'Mutation.endEditorGeneration': 'endEditorGeneration(input: { id: "EDITED", state: FAILED })',
  'Mutation.createWebhookSubscription':
    'createWebhookSubscription(input: { teamId: "TEAM", address: "ADDRESS", events: [GENERATION_FAILED] })',
  'Mutation.updateWebhookSubscription': 'updateWebhookSubscription(input: { id: "HOOK", paused: false })',
  'Mutation.deleteWebhookSubscription': 'deleteWebhookSubscription(input: { id: "DOOMED_H" })',
  'Mutation.rotateWebhookSecret': 'rotateWebhookSecret(input: { id: "HOOK" })',
  'Mutation.sendTestEvent': 'sendTestEvent(input: { subscriptionId: "HOOK" })',
  'Mutation.redeliver': 'redeliver(input: { deliveryId: "DELIVERY" })',
  'Mutation.redeliverFailed': 'redeliverFailed(input: { subscriptionId: "HOOK", since: "2026-01-01T00:00:00Z" })',
}

/** All ways to an object of each type that somebody might take who may not take the others. */
export const waysTo: Record<string, string[]> = {
  Viewer: ['{ viewer { FIELD } }'],
  Family: ['{ family(id: "sandbox-image") { FIELD } }'],
  Axis: ['{ family(id: "sandbox-image") { axes { FIELD } } }'],
  Variant: ['{ family(id: "sandbox-image") { variants { FIELD } } }'],
  Price: ['{ family(id: "sandbox-image") { variants { prices { FIELD } } } }'],
  RunSeconds: [
    '{ family(id: "sandbox-image") { expectedRunSeconds { FIELD } } }',
    `{ estimate(teamId: "TEAM", input: ${boat}) { expectedRunSeconds { FIELD } } }`,
  ],
  QueryFamiliesConnection: ['{ families { FIELD } }'],
  QueryFamiliesConnectionEdge: ['{ families { edges { FIELD } } }'],
  Estimate: [`{ estimate(teamId: "TEAM", input: ${boat}) { FIELD } }`],
  EstimatedVariant: [`{ estimate(teamId: "TEAM", input: ${boat}) { variant { FIELD } } }`],
  PriceLine: [`{ estimate(teamId: "TEAM", input: ${boat}) { breakdown { FIELD } } }`],
  Generation: [
    '{ generation(id: "READY") { FIELD } }',
    `mutation { startGeneration(teamId: "TEAM", input: ${boat}) { generation { FIELD } } }`,
  ],
  GenerationInputs: [
    '{ generation(id: "READY") { inputs { FIELD } } }',
    `mutation { startGeneration(teamId: "TEAM", input: ${boat}) { generation { inputs { FIELD } } } }`,
  ],
  GenerationResult: ['{ generation(id: "READY") { result { FIELD } } }'],
  GenerationFailure: ['{ generation(id: "FAILED") { error { FIELD } } }'],
  StartGenerationPayload: [`mutation { startGeneration(teamId: "TEAM", input: ${boat}) { FIELD } }`],
  CancelGenerationPayload: ['mutation { cancelGeneration(id: "QUEUED") { FIELD } }'],
  History: ['{ history(teamId: "TEAM", limit: 50) { FIELD } }'],
  QueryGenerationsConnection: ['{ generations(teamId: "TEAM") { FIELD } }'],
  QueryGenerationsConnectionEdge: ['{ generations(teamId: "TEAM") { edges { FIELD } } }'],
  TeamGenerationsConnection: [team('generations { FIELD }')],
  TeamGenerationsConnectionEdge: [team('generations { edges { FIELD } }')],
  File: ['{ file(id: "FILE") { FIELD } }', `mutation { uploadFile(input: { teamId: "TEAM", base64: "${pixel}" }) { FIELD } }`],
  Account: ['{ account(teamId: "TEAM") { FIELD } }'],
  LedgerLine: [team('ledger { nodes { FIELD } }')],
  TeamLedgerConnection: [team('ledger { FIELD }')],
  TeamLedgerConnectionEdge: [team('ledger { edges { FIELD } }')],
  UserLedgerConnection: [user('ledger { FIELD }')],
  UserLedgerConnectionEdge: [user('ledger { edges { FIELD } }')],
  Usage: [team('usage(from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z", by: KEY) { FIELD }')],
  UsageOfDay: [team('usageByDay(from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z", by: KEY) { FIELD }')],
  Limit: [team('limits { FIELD }')],
  WorkUnderWay: [team('workUnderWay { FIELD }')],
  Team: [team('FIELD')],
  SwitchedOffFamily: [team('switchedOffFamilies { FIELD }')],
  User: [user('FIELD'), team('members { nodes { user { FIELD } } }')],
  Membership: [team('members { nodes { FIELD } }')],
  AddTeamMemberPayload: ['mutation { addTeamMember(input: { teamId: "TEAM", email: "ADDED", role: MEMBER }) { FIELD } }'],
  TeamMembersConnection: [team('members { FIELD }')],
  TeamMembersConnectionEdge: [team('members { edges { FIELD } }')],
  UserMembershipsConnection: [user('memberships { FIELD }')],
  UserMembershipsConnectionEdge: [user('memberships { edges { FIELD } }')],
  ApiKey: [
    team('apiKeys { nodes { FIELD } }'),
    team('usage(from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z", by: KEY) { key { FIELD } }'),
  ],
  IssueApiKeyPayload: ['mutation { issueApiKey(input: { teamId: "TEAM", name: "new", scopes: [MCP] }) { FIELD } }'],
  TeamApiKeysConnection: [team('apiKeys { FIELD }')],
  TeamApiKeysConnectionEdge: [team('apiKeys { edges { FIELD } }')],
  UserApiKeysConnection: [user('apiKeys { FIELD }')],
  UserApiKeysConnectionEdge: [user('apiKeys { edges { FIELD } }')],
  WebhookSubscription: [hook('FIELD')],
  WebhookDelivery: ['{ webhookDelivery(id: "DELIVERY") { FIELD } }'],
  WebhookAttempt: ['{ webhookDelivery(id: "DELIVERY") { attemptLog { FIELD } } }'],
  CreateWebhookSubscriptionPayload: [
    'mutation { createWebhookSubscription(input: { teamId: "TEAM", address: "ADDRESS", events: [GENERATION_FAILED] }) { FIELD } }',
  ],
  RotateWebhookSecretPayload: ['mutation { rotateWebhookSecret(input: { id: "HOOK" }) { FIELD } }'],
  TeamWebhookSubscriptionsConnection: [team('webhookSubscriptions { FIELD }')],
  TeamWebhookSubscriptionsConnectionEdge: [team('webhookSubscriptions { edges { FIELD } }')],
  WebhookSubscriptionDeliveriesConnection: [hook('deliveries { FIELD }')],
  WebhookSubscriptionDeliveriesConnectionEdge: [hook('deliveries { edges { FIELD } }')],
  PageInfo: ['{ families { pageInfo { FIELD } } }', '{ generations(teamId: "TEAM") { pageInfo { FIELD } } }'],
}

/** Arguments of fields that cannot be asked for without. */
export const argumentsOf: Record<string, string> = {
  'Team.usage': '(from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z", by: DAY)',
  'Team.usageByDay': '(from: "2026-01-01T00:00:00Z", to: "2026-04-01T00:00:00Z", by: FAMILY)',
}
