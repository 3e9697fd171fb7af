import { type Column, columns, connection, rows } from './roleColumns.ts'
import { webhookRows } from './webhookRows.ts'

const tools: Column[] = ['service']
const admins: Column[] = ['service', 'owner', 'admin']
/** Keys of the team may manage its keys and webhooks. */
const keyAdmins: Column[] = [...admins, 'keys:write']
const hookAdmins: Column[] = [...admins, 'webhooks:write']
const members: Column[] = [...admins, 'member']
/** Objects of the person who owns the team. */
const oneself: Column[] = ['service', 'owner']
const people: Column[] = [...members, 'foreign', 'alone']
const callers = columns.filter((column) => column !== 'job' && column !== 'stranger')
const catalog: Column[] = ['catalog:read', 'agent', 'otherTeam', ...people]
/** Objects of the team, which are unknown to a key of another team. */
const itsReaders: Column[] = ['service', 'generations:read', 'agent']
const itsViewers: Column[] = [...itsReaders, 'owner', 'admin', 'member']
const itsCancellers: Column[] = ['service', 'generations:write', 'agent']
const itsKeepers: Column[] = [...itsCancellers, 'owner', 'admin']
const itsUploaders: Column[] = ['service', 'files:write', 'agent']
/** People who may run models in a team, here without its members. */
const runners: Column[] = ['owner', 'admin']
/** Objects that every key has: its history and its account. */
const readers: Column[] = [...itsReaders, 'otherTeam']
const starters: Column[] = [...itsCancellers, 'otherTeam']
const uploaders: Column[] = [...itsUploaders, 'otherTeam']
const accounts: Column[] = ['service', 'account:read', 'agent', 'otherTeam', 'owner', 'admin', 'member']
/** Callers that may estimate a price for the team. */
const estimators: Column[] = [...readers, 'owner', 'admin', 'member']
/** Types that several scopes reach. */
const generations: Column[] = [...itsViewers, 'generations:write', 'otherTeam']
const estimates: Column[] = [...catalog, 'generations:read']

/**
 * The callers that may read each field. Every field of the printed schema has a row; each row is tried with each column. A new kind of caller is a
 * new column here, one more way to ask in `roleCallers.ts`, and a place in the groups below.
 */
export const roleMatrix: Record<string, readonly Column[]> = {
  ...rows('Query', callers, 'viewer'),
  ...rows('Query', catalog, 'families family'),
  ...rows('Query', estimators, 'estimate'),
  ...rows('Query', readers, 'generations history'),
  ...rows('Query', itsViewers, 'generation'),
  ...rows('Subscription', itsViewers, 'generationChanges'),
  ...rows('Query', itsReaders, 'resultPreview'),
  ...rows('Query', itsUploaders, 'file'),
  ...rows('Query', uploaders, 'files'),
  ...rows('Query', accounts, 'account'),
  ...rows('Query', accounts, 'usage'),
  ...rows('Query', members, 'team'),
  ...rows('Query', oneself, 'user'),
  ...rows('Query', oneself, 'sessions'),
  ...rows('Query', tools, 'auditLog teams users serviceTokens'),
  ...rows('Query', keyAdmins, 'apiKey apiKeyList'),
  ...rows(
    'Query',
    hookAdmins,
    'webhookDelivery webhookSubscription webhookSubscriptionList webhookDeliveryList teamDeliveryList callbackSecret',
  ),

  ...rows('Mutation', [...starters, ...runners], 'startGeneration startBatch'),
  ...rows('Mutation', readers, 'quoteGeneration'),
  ...rows('Mutation', itsKeepers, 'cancelGeneration deleteResult'),
  ...rows('Mutation', itsUploaders, 'deleteFile'),
  ...rows('Mutation', [...uploaders, ...runners], 'uploadFile'),
  ...rows('Mutation', admins, 'createUploadAddress'),
  ...rows('Mutation', tools, 'createTeam updateTeam createUser updateUser grantCredits setFamilyAvailability setFamilyAccess'),
  ...rows('Mutation', admins, 'setTeamMember removeTeamMember setTeamRetention setTeamRuns inviteMember revokeInvitation'),
  ...rows('Mutation', people.slice(1), 'changePassword setTimeZone'),
  ...rows('Mutation', oneself, 'endSession endSessions deleteTeam setTeamGroup'),
  ...rows('Mutation', tools, 'addTeamMember deleteUser adjustCredits reloadCatalog createServiceToken revokeServiceToken'),
  ...rows('Mutation', tools, 'recordEditorGeneration endEditorGeneration'),
  ...rows('Mutation', keyAdmins, 'issueApiKey updateApiKey rotateApiKey revokeApiKey'),
  ...rows('Mutation', hookAdmins, 'createWebhookSubscription updateWebhookSubscription deleteWebhookSubscription rotateWebhookSecret'),
  ...rows(
    'Mutation',
    hookAdmins,
    'createAlertSubscription updateAlertSubscription deleteAlertSubscription rotateAlertSecret sendTestAlert',
  ),
  ...rows('Mutation', hookAdmins, 'sendTestEvent redeliver redeliverFailed rotateCallbackSecret'),

  ...rows('Viewer', callers, 'kind'),
  ...rows('Viewer', people, 'user'),

  ...rows('Family', catalog, 'id name vendor description available lockReason tasks outputType axes variants parameters creditsFrom'),
  ...rows('Family', catalog, 'expectedRunSeconds updatedAt json'),
  ...rows('Axis', catalog, 'name label values default'),
  ...rows('Variant', catalog, 'modelId label tasks axes inputs parameterNames parameters prices creditsFrom expectedRunSeconds'),
  ...rows('Price', catalog, 'unit credits when'),
  ...rows('RunSeconds', estimates, 'typical slow'),
  ...connection('QueryFamilies', catalog),
  ...rows('QueryFamiliesConnection', catalog, 'json'),

  ...rows('Estimate', estimators, 'familyId variant credits creditsAvailable sufficient breakdown expectedRunSeconds blockers json'),
  ...rows('QuotedEstimate', readers, 'quoteId quoteExpiresAt json'),
  ...rows('EstimatedVariant', estimators, 'modelId task axes'),
  ...rows('PriceLine', estimators, 'unit quantity credits'),

  ...rows(
    'Generation',
    generations,
    'generationId state familyId modelId fallback task outputType axes prompt parameters inputs reference metadata source creditsHeld',
  ),
  ...rows(
    'Generation',
    generations,
    'creditsCharged createdAt startedAt finalizingAt finishedAt progress queuePosition pollAfterSeconds result reusableAs error json',
  ),
  ...rows('Generation', members, 'credits apiKey startedBy'),
  ...rows('GenerationStarter', members, 'userId name'),
  ...rows('GenerationFallback', itsViewers, 'modelId'),
  ...rows('GenerationInputs', generations, 'imageIds videoIds audioIds model3dIds'),
  ...rows('GenerationResult', itsViewers, 'type url urlExpiresAt mimeType sizeBytes width height durationSeconds text deletedAt'),
  ...rows('ResultPreview', itsReaders, 'mimeType base64 json'),
  ...rows('GenerationFailure', itsViewers, 'code reason message retryable hint details docUrl'),
  ...rows('StartGenerationPayload', [...starters, ...runners], 'generation json replayed'),
  ...rows('StartBatchPayload', [...starters, ...runners], 'json'),
  ...rows('CancelGenerationPayload', itsKeepers, 'generationId state cancelled creditsCharged creditsReturned json'),
  ...rows('History', readers, 'json'),
  ...rows('FileList', uploaders, 'json'),
  ...connection('TeamFiles', members),
  ...connection('QueryGenerations', readers),
  ...connection('TeamGenerations', members),
  ...rows('TeamGenerationsConnection', members, 'lookedBackTo'),
  ...connection('UserGenerations', oneself),
  ...rows('UserGenerationsConnection', oneself, 'lookedBackTo'),
  ...rows('GenerationCount', members, 'count isComplete'),

  ...rows(
    'File',
    [...uploaders, ...runners],
    'fileId state type mimeType sizeBytes width height durationSeconds usableIn pollAfterSeconds error createdAt',
  ),
  ...rows('File', [...uploaders, ...runners], 'expiresAt json'),
  ...rows('DeleteFilePayload', itsUploaders, 'fileId json'),

  ...rows('Account', accounts, 'creditsAvailable creditsHeld json'),
  ...rows('LedgerLine', members, 'id kind credits generationId familyId key note createdAt'),
  ...connection('TeamLedger', members),
  ...connection('UserLedger', oneself),
  ...rows('UsageOfDay', members, 'day key familyId isRest generations creditsCharged'),
  ...rows(
    'DailyUsage',
    members,
    'day generations ready failed cancelled creditsCharged timed medianSeconds p95Seconds medianQueueSeconds p95QueueSeconds medianRunSeconds p95RunSeconds',
  ),
  ...rows('Limit', members, 'kind key leftCredits limitCredits spentCredits heldCredits resetsAt'),
  ...rows('WorkUnderWay', members, 'queued running finalizing creditsHeld'),
  ...rows('Usage', members, 'key day familyId reference metadataValue isOther generations ready failed cancelled creditsCharged'),
  ...rows('UsageList', accounts, 'json'),

  ...rows(
    'Team',
    members,
    'id name planExpiresAt blocked state externalAccess createdAt account monthlyLimitCredits spentThisMonthCredits',
  ),
  ...rows('Team', members, 'requestsPerMinute requestsInProgress lowCreditsThreshold'),
  ...rows(
    'Team',
    members,
    'files apiKeys members generation generations ledger usage usageByDay dailyUsage limits workUnderWay switchedOffFamilies generationCount',
  ),
  ...rows('Team', members, 'member retention membersMayRun runDailyLimitCredits generationNeighbours inputFiles'),
  ...rows('Team', oneself, 'groups groupProvider groupsClaim'),
  ...rows('GroupsClaim', oneself, 'name lastSignInAt lastOutcome'),
  ...rows('TeamGroup', oneself, 'group role createdAt'),
  ...rows('PersonRuns', admins, 'blocker spentTodayCredits heldCredits leftTodayCredits'),
  ...rows('Team', admins, 'generationDeliveries personRuns keysOfFamily'),
  ...rows('KeysOfFamily', admins, 'inUse inUseCount otherCount'),
  ...rows('KeyOfFamily', admins, 'key generations'),
  ...rows('GenerationNeighbours', members, 'newerId olderId'),
  ...rows('InputFile', members, 'fileId state type mimeType sizeBytes durationSeconds thumbnailUrl contentUrl'),
  ...rows('UploadAddress', admins, 'uploadUrl fileId expiresAt'),
  ...rows('TeamRetention', members, 'mediaDays historyDays deploymentHistoryDays'),
  ...rows('SwitchedOffFamily', members, 'familyId byName since'),
  ...rows('User', members, 'id email name'),
  ...rows(
    'User',
    oneself,
    'emailVerified hasPassword subscriptionActive timeZone createdAt account apiKeys agentKeys memberships generations ledger',
  ),
  ...rows('ServiceToken', tools, 'id name prefix readOnly teamIds createdAt lastUsedAt revokedAt'),
  ...rows('CreateServiceTokenPayload', tools, 'token value'),
  ...connection('QueryTeams', tools),
  ...connection('QueryUsers', tools),
  ...connection('QueryServiceTokens', tools),
  ...rows('Membership', members, 'team user role fromGroups createdAt workingKeys restKeys shownKeys'),
  ...rows('Membership', admins, 'shownWebhooks shownAlertSubscriptions sawCallbackSecret'),
  ...rows('AddTeamMemberPayload', tools, 'membership added'),
  ...rows('Invitation', admins, 'id email role mailed invitedBy createdAt expiresAt'),
  ...rows('InviteMemberPayload', admins, 'url expiresAt invitation'),
  ...connection('TeamInvitations', admins),
  ...rows('Session', oneself, 'id current createdAt lastUsedAt expiresAt userAgent address'),
  ...connection('TeamMembers', members),
  ...connection('UserMemberships', oneself),

  ...rows('ApiKey', [...members, 'keys:write'], 'id name prefix'),
  ...rows('ApiKey', admins, 'team issuedBy'),
  ...rows('ApiKey', keyAdmins, 'scopes createdAt lastUsedAt revokedAt dailyLimitCredits monthlyLimitCredits singleLimitCredits'),
  ...rows('ApiKey', keyAdmins, 'confirmAboveCredits spentTodayCredits spentThisMonthCredits heldCredits expiresAt state'),
  ...rows('ApiKey', keyAdmins, 'previousValueEndsAt previousPrefix rotatable'),
  ...rows('ApiKey', keyAdmins, 'runningGenerations liveLinks hints refusals json'),
  ...rows('KeyRefusal', keyAdmins, 'code count lastAt'),
  ...rows('IssueApiKeyPayload', keyAdmins, 'apiKey value json'),
  ...rows('RotateApiKeyPayload', keyAdmins, 'apiKey value json'),
  ...rows('ApiKeyList', keyAdmins, 'json'),
  ...connection('TeamApiKeys', members),
  ...connection('UserApiKeys', oneself),
  ...connection('UserAgentKeys', oneself),

  ...webhookRows({ admins, hookAdmins }),
  ...rows('AuditEntry', admins, 'id time teamId actorKind actorId actorName tool action subjectId subjectName before after'),
  ...rows('AuditEntry', admins, 'address userAgent requestId'),
  ...connection('TeamAuditLog', admins),
  ...connection('QueryAuditLog', tools),

  ...rows('PageInfo', estimates, 'hasNextPage hasPreviousPage startCursor endCursor'),
}
