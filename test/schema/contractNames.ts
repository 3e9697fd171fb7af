/** Public names of docs/contract.md#graphql in SDL. A release may add names, but changes and removes none. */

/** Arguments and types of the root fields, in SDL. */
export const rootFields = {
  Mutation: {
    createTeam: '(input: CreateTeamInput!): Team!',
    updateTeam: '(input: UpdateTeamInput!): Team!',
    createUser: '(input: CreateUserInput!): User!',
    updateUser: '(input: UpdateUserInput!): User!',
    setTeamMember: '(input: SetTeamMemberInput!): Membership!',
    removeTeamMember: '(input: RemoveTeamMemberInput!): Boolean!',
    grantCredits: '(input: GrantCreditsInput!): Account!',
    setFamilyAvailability: '(input: SetFamilyAvailabilityInput!): Family!',
    setFamilyAccess: '(input: SetFamilyAccessInput!): Family!',
    issueApiKey: '(input: IssueApiKeyInput!): IssueApiKeyPayload!',
    updateApiKey: '(input: UpdateApiKeyInput!): ApiKey!',
    rotateApiKey: '(input: RotateApiKeyInput!): RotateApiKeyPayload!',
    revokeApiKey: '(input: RevokeApiKeyInput!): ApiKey!',
    createWebhookSubscription: '(input: CreateWebhookSubscriptionInput!): CreateWebhookSubscriptionPayload!',
    updateWebhookSubscription: '(input: UpdateWebhookSubscriptionInput!): WebhookSubscription!',
    deleteWebhookSubscription: '(input: DeleteWebhookSubscriptionInput!): Boolean!',
    rotateWebhookSecret: '(input: RotateWebhookSecretInput!): RotateWebhookSecretPayload!',
    sendTestEvent: '(input: SendTestEventInput!): WebhookDelivery!',
    redeliver: '(input: RedeliverInput!): WebhookDelivery!',
    redeliverFailed: '(input: RedeliverFailedInput!, max: Int): Int!',
    recordEditorGeneration: '(input: RecordEditorGenerationInput!): Generation!',
    endEditorGeneration: '(input: EndEditorGenerationInput!): Generation!',
  },
  Query: {
    viewer: ': Viewer!',
    team: '(id: ID!): Team',
    user: '(id: ID!): User',
  },
} as const

/** Root fields whose arguments are not in the contract. */
export const freeRootFields = {
  Mutation: ['startGeneration', 'cancelGeneration', 'uploadFile'],
  Query: ['families', 'family', 'estimate', 'generation', 'generations', 'account'],
} as const

/** Complete input types: a further field would be a new name of the contract. */
export const inputTypes: Record<string, Record<string, string>> = {
  CreateTeamInput: { name: 'String!', planExpiresAt: 'DateTime' },
  UpdateTeamInput: { id: 'ID!', name: 'String', planExpiresAt: 'DateTime', blocked: 'Boolean', externalAccess: 'Boolean' },
  CreateUserInput: { email: 'String!', name: 'String!', password: 'String', subscriptionActive: 'Boolean' },
  UpdateUserInput: { id: 'ID!', name: 'String', subscriptionActive: 'Boolean', password: 'String' },
  SetTeamMemberInput: { teamId: 'ID!', userId: 'ID!', role: 'Role!' },
  RemoveTeamMemberInput: { teamId: 'ID!', userId: 'ID!' },
  GrantCreditsInput: { teamId: 'ID', userId: 'ID', credits: 'Float!', note: 'String!', idempotencyKey: 'String!' },
  SetFamilyAvailabilityInput: { familyId: 'ID!', available: 'Boolean!', teamId: 'ID' },
  SetFamilyAccessInput: { familyId: 'ID!', teamId: 'ID!', granted: 'Boolean!' },
  IssueApiKeyInput: {
    teamId: 'ID',
    userId: 'ID',
    name: 'String!',
    scopes: '[Scope!]!',
    dailyLimitCredits: 'Float',
    singleLimitCredits: 'Float',
    confirmAboveCredits: 'Float',
    expiresAt: 'DateTime',
  },
  UpdateApiKeyInput: {
    id: 'ID!',
    name: 'String',
    dailyLimitCredits: 'Float',
    singleLimitCredits: 'Float',
    confirmAboveCredits: 'Float',
    expiresAt: 'DateTime',
  },
  RotateApiKeyInput: { id: 'ID!', overlapHours: 'Int = 0' },
  RevokeApiKeyInput: { id: 'ID!' },
  CreateWebhookSubscriptionInput: { teamId: 'ID!', address: 'String!', events: '[WebhookEvent!]!' },
  UpdateWebhookSubscriptionInput: { id: 'ID!', events: '[WebhookEvent!]', paused: 'Boolean' },
  DeleteWebhookSubscriptionInput: { id: 'ID!' },
  RotateWebhookSecretInput: { id: 'ID!', overlapHours: 'Int = 0' },
  SendTestEventInput: { subscriptionId: 'ID!' },
  RedeliverInput: { deliveryId: 'ID!' },
  RedeliverFailedInput: { subscriptionId: 'ID!', since: 'DateTime!' },
  RecordEditorGenerationInput: {
    teamId: 'ID!',
    userId: 'ID!',
    familyId: 'String!',
    outputType: 'OutputType!',
    prompt: 'String',
    state: 'EditorGenerationState!',
    text: 'String',
  },
}

const connection = 'a connection'

/** Fields of object types, with their types where the contract or the REST interface defines them. */
export const objectFields: Record<string, Record<string, string>> = {
  Team: {
    id: 'ID!',
    name: 'String!',
    planExpiresAt: 'DateTime',
    blocked: 'Boolean!',
    externalAccess: 'Boolean!',
    apiKeys: connection,
    webhookSubscriptions: connection,
    members: connection,
    generations: connection,
    ledger: connection,
    usage: '[Usage!]!',
  },
  User: { id: 'ID!', email: 'String!', name: 'String!', subscriptionActive: 'Boolean!' },
  Membership: { team: 'Team!', user: 'User!', role: 'Role!' },
  Account: { creditsAvailable: 'Float!', creditsHeld: 'Float!' },
  IssueApiKeyPayload: { apiKey: 'ApiKey!', value: 'String!' },
  RotateApiKeyPayload: { apiKey: 'ApiKey!', value: 'String!' },
  CreateWebhookSubscriptionPayload: { subscription: 'WebhookSubscription!', signingSecret: 'String!' },
  RotateWebhookSecretPayload: { subscription: 'WebhookSubscription!', signingSecret: 'String!' },
  ApiKey: {
    id: 'ID!',
    name: 'String!',
    prefix: 'String!',
    scopes: '[Scope!]!',
    issuedBy: 'User!',
    createdAt: 'DateTime!',
    lastUsedAt: 'DateTime',
    revokedAt: 'DateTime',
    dailyLimitCredits: 'Float',
    singleLimitCredits: 'Float',
    confirmAboveCredits: 'Float',
    spentTodayCredits: 'Float!',
    heldCredits: 'Float!',
    expiresAt: 'DateTime',
  },
  WebhookSubscription: {
    id: 'ID!',
    address: 'String!',
    events: '[WebhookEvent!]!',
    paused: 'Boolean!',
    createdAt: 'DateTime!',
    lastDeliveryDay: 'String',
    lastDeliveryOutcome: 'WebhookDeliveryState',
    deliveries: connection,
  },
  WebhookDelivery: {
    id: 'ID!',
    event: 'WebhookEvent!',
    time: 'DateTime!',
    eventNumber: 'Int!',
    state: 'WebhookDeliveryState!',
    attempts: 'Int!',
    responseCode: 'Int',
    refusalText: 'String',
    responseSnippet: 'String',
    nextAttemptAt: 'DateTime',
    payload: 'JSON!',
  },
  Query: { families: connection, generations: connection },
}

export const enums: Record<string, string[]> = {
  Role: ['OWNER', 'ADMIN', 'MEMBER'],
  Scope: ['CATALOG_READ', 'GENERATIONS_READ', 'GENERATIONS_WRITE', 'FILES_WRITE', 'ACCOUNT_READ', 'MCP'],
  WebhookEvent: ['GENERATION_COMPLETED', 'GENERATION_FAILED', 'GENERATION_CANCELLED'],
  WebhookDeliveryState: ['PENDING', 'RETRYING', 'DELIVERED', 'FAILED'],
  OutputType: ['IMAGE', 'VIDEO', 'AUDIO', 'MODEL3D', 'TEXT'],
  EditorGenerationState: ['READY', 'RUNNING', 'FAILED'],
  UsageBy: ['DAY', 'KEY', 'FAMILY'],
}

/** Arguments of Team.usage. */
export const usageArguments: Record<string, string> = { from: 'DateTime!', to: 'DateTime!', by: 'UsageBy!', first: 'Int' }
