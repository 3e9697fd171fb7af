import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** An operator's word over the catalog file: the family is (not) available until changed. */
export const FamilyOverride = defineEntity({
  name: 'FamilyOverride',
  tableName: 'family_overrides',
  properties: { familyId: p.text().primary(), available: p.boolean(), updatedAt: p.datetime() },
})
export type FamilyOverride = InferEntity<typeof FamilyOverride>
