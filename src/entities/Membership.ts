import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    teamId: p.text().primary(),
    userId: p.text().primary(),
    role: p.text().$type<Role>(),
    /** Whether groups of the identity provider gave it. Groups change and end only these. */
    fromGroups: p.boolean(),
    createdAt: p.datetime(),
  },
})
export type Membership = InferEntity<typeof Membership>
