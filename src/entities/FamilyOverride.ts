import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** The availability of a family as set by an operator; it overrides the catalog file until it is changed. */
export const FamilyOverride = defineEntity({
  name: 'FamilyOverride',
  tableName: 'family_overrides',
  properties: { familyId: p.text().primary(), available: p.boolean(), updatedAt: p.datetime() },
})
export type FamilyOverride = InferEntity<typeof FamilyOverride>
