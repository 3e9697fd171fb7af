import { lexicographicSortSchema, printSchema } from 'graphql'
import './core/scalars.ts'
import './credits/account.ts'
import './keys/apiKey.ts'
import './keys/apiKeyList.ts'
import './keys/apiKeyMutations.ts'
import './keys/apiKeyStatus.ts'
import './keys/keyRefusals.ts'
import './teams/auditLog.ts'
import './generations/generationMutations.ts'
import './fileMutations.ts'
import './files.ts'
import './generations/editorGeneration.ts'
import './catalog/family.ts'
import './catalog/familyAvailability.ts'
import './generations/followGeneration.ts'
import './generations/generation.ts'
import './credits/ledgerLine.ts'
import './credits/teamLimits.ts'
import './teams/membership.ts'
import './teams/invitation.ts'
import './teams/ownAccount.ts'
import './generations/generationPage.ts'
import './generations/generationQueries.ts'
import './generations/resultPreview.ts'
import './generations/startBatch.ts'
import './generations/startGeneration.ts'
import './teams/serviceToken.ts'
import './teams/team.ts'
import './teams/teamRetention.ts'
import './teams/teamRuns.ts'
import './uploadAddress.ts'
import './credits/usage.ts'
import './teams/user.ts'
import './teams/viewer.ts'
import './webhooks/alertSubscription.ts'
import './webhooks/callbackSecret.ts'
import './webhooks/deliveryMutations.ts'
import './webhooks/failingCallbacks.ts'
import './webhooks/teamAlert.ts'
import './webhooks/webhookDelivery.ts'
import './webhooks/webhookDeliveryLists.ts'
import './webhooks/webhookHealth.ts'
import './webhooks/webhookLists.ts'
import './webhooks/webhookSubscription.ts'
import { builder } from './core/builder.ts'
import { requireAuthScopes } from './core/requireAuthScopes.ts'
import { describeSchema } from './descriptions/describeSchema.ts'

/** The schema. REST, GraphQL and MCP run parts of it. A new type is a file with its queries and mutations, and a line above. */
export const schema = builder.toSchema()

requireAuthScopes(schema)
describeSchema(schema)

/** The schema in the definition language, in alphabetical order, as `atelier schema` prints it. */
export function printedSchema(): string {
  return printSchema(lexicographicSortSchema(schema))
}
