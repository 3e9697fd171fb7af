import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { setFamilyAvailability } from '../../domain/access/availability/setFamilyAvailability.ts'
import {
  type SwitchedOff,
  setFamilyAccess,
  setTeamFamilyAvailability,
  switchedOffFamilies,
} from '../../domain/access/availability/setTeamFamilyAvailability.ts'
import { reloadCatalog } from '../../domain/catalog/reloadCatalog.ts'
import { builder } from '../core/builder.ts'
import type { SchemaContext } from '../core/context.ts'
import { allow } from '../core/scopes.ts'
import { TeamType } from '../teams/team.ts'
import { FamilyType, requireFamily } from './family.ts'

const SwitchedOffFamily = builder.objectRef<SwitchedOff>('SwitchedOffFamily')

builder.objectType(SwitchedOffFamily, {
  description: 'A family that a team has switched off. It may have other locks too.',
  authScopes: { caller: true },
  fields: (t) => ({
    familyId: t.exposeID('familyId'),
    byName: t.exposeString('byName', { nullable: true, description: 'The person who switched it off; null for an internal tool.' }),
    since: t.expose('since', { type: 'DateTime', nullable: true, description: 'Null for changes before this was recorded.' }),
  }),
})

const switchedOff = createContextCache(
  ({ context }: SchemaContext) => new DataLoader<string, SwitchedOff[]>((teamIds) => switchedOffFamilies(context, teamIds)),
)

builder.objectField(TeamType, 'switchedOffFamilies', (t) =>
  t.field({
    type: [SwitchedOffFamily],
    description: 'Ordered by the identifier of the family.',
    resolve: ({ id }, _args, request) => switchedOff(request).load(id),
  }),
)

const SetFamilyAvailabilityInput = builder.inputType('SetFamilyAvailabilityInput', {
  fields: (t) => ({
    familyId: t.id({ required: true }),
    available: t.boolean({ required: true }),
    teamId: t.id({
      description: 'Only for that team. A team can switch a family off for itself, but cannot open a family with other locks.',
    }),
  }),
})

const SetFamilyAccessInput = builder.inputType('SetFamilyAccessInput', {
  fields: (t) => ({ familyId: t.id({ required: true }), teamId: t.id({ required: true }), granted: t.boolean({ required: true }) }),
})

builder.mutationFields((t) => ({
  setFamilyAvailability: t.field({
    type: FamilyType,
    description:
      'Opens or locks a family for everybody, or for one team; overrides its catalog file. Returns the family as that team sees it.',
    args: { input: t.arg({ type: SetFamilyAvailabilityInput, required: true }) },
    authScopes: (_root, { input }) =>
      typeof input.teamId === 'string' ? allow('families.switchForTeam', input.teamId) : allow('families.switchForAll'),
    resolve: async (_root, { input: { familyId, available, teamId } }, { context }) => {
      if (typeof teamId === 'string') await setTeamFamilyAvailability(context, { familyId, available, teamId })
      else await setFamilyAvailability(context, { familyId, available })
      return await requireFamily(context, familyId, teamId)
    },
  }),
  setFamilyAccess: t.field({
    type: FamilyType,
    description: 'Grants a team the use of a family with `restricted: true`, or revokes it. Returns the family as that team sees it.',
    args: { input: t.arg({ type: SetFamilyAccessInput, required: true }) },
    authScopes: (_root, { input }) => allow('families.grantAccess', input.teamId),
    resolve: async (_root, { input }, { context }) => {
      await setFamilyAccess(context, input)
      return await requireFamily(context, input.familyId, input.teamId)
    },
  }),
}))

builder.mutationField('reloadCatalog', (t) =>
  t.boolean({
    description:
      'Loads the family files again, in every process. True; refused, with each error, when a file is faulty: nothing changes then.',
    authScopes: allow('catalog.reload'),
    resolve: async (_root, _args, { context }) => {
      await reloadCatalog(context)
      return true
    },
  }),
)
