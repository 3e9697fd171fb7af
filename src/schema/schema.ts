import { lexicographicSortSchema, printSchema } from 'graphql'
import './scalars.ts'
import './account.ts'
import './apiKey.ts'
import './apiKeyChanges.ts'
import './apiKeyUpkeep.ts'
import './auditLog.ts'
import './cancelGeneration.ts'
import './deleteFile.ts'
import './deleteResult.ts'
import './editorGeneration.ts'
import './family.ts'
import './familyAvailability.ts'
import './followGeneration.ts'
import './generation.ts'
import './ledgerLine.ts'
import './limit.ts'
import './membership.ts'
import './readGenerations.ts'
import './resultPreview.ts'
import './startGeneration.ts'
import './team.ts'
import './teamRetention.ts'
import './uploadFile.ts'
import './usage.ts'
import './user.ts'
import './viewer.ts'
import './webhookDelivery.ts'
import './webhookDeliveryLists.ts'
import './webhookHealth.ts'
import './webhookSubscription.ts'
import { builder } from './builder.ts'
import { requireGuards } from './requireGuards.ts'

/** The one schema, of which every door runs a part. A new type is a file with its queries and mutations, and a line above. */
export const schema = builder.toSchema()

requireGuards(schema)

/** The schema in the definition language, in alphabetical order, as `atelier schema` prints it. */
export function printedSchema(): string {
  return printSchema(lexicographicSortSchema(schema))
}
