import type { PublicFamily } from '../contract/family.ts'
import { outputType as outputTypeShape } from '../contract/outputTypes.ts'
import { Refusal } from '../contract/refusals.ts'
import { task as taskShape } from '../contract/tasks.ts'
import { availabilityFor, availabilityForTeam } from '../domain/access/availabilityFor.ts'
import { setFamilyAvailability } from '../domain/access/setFamilyAvailability.ts'
import { setFamilyAccess, setTeamFamilyAvailability } from '../domain/access/setTeamFamily.ts'
import type { Family } from '../domain/catalog/family.ts'
import { type Availability, lockReasonOf } from '../domain/catalog/lockReason.ts'
import { presentFamily } from '../domain/catalog/presentFamily.ts'
import type { Context } from '../domain/context.ts'
import type { ListWindow } from '../domain/listWindow.ts'
import { builder } from './builder.ts'
import { type KeyedList, keyedConnection } from './keyedConnection.ts'
import { OutputTypeEnum } from './outputType.ts'

const FamilyType = builder.objectRef<PublicFamily>('Family')

const RunSeconds = builder.objectRef<PublicFamily['expectedRunSeconds']>('RunSeconds')
const AxisType = builder.objectRef<PublicFamily['axes'][number]>('Axis')
const VariantType = builder.objectRef<PublicFamily['variants'][number]>('Variant')
const PriceType = builder.objectRef<PublicFamily['variants'][number]['prices'][number]>('Price')

builder.objectType(FamilyType, {
  description: 'A model family of the catalog, as the caller may use it.',
  authScopes: { caller: true },
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    vendor: t.exposeString('vendor'),
    description: t.exposeString('description'),
    available: t.exposeBoolean('available'),
    lockReason: t.exposeString('lockReason', { nullable: true, description: 'Why it is not available.' }),
    tasks: t.exposeStringList('tasks'),
    outputType: t.expose('outputType', { type: OutputTypeEnum }),
    axes: t.expose('axes', { type: [AxisType] }),
    variants: t.expose('variants', { type: [VariantType] }),
    parameters: t.expose('parameters', { type: 'JSON', description: 'A JSON Schema (2020-12).' }),
    creditsFrom: t.exposeFloat('creditsFrom'),
    expectedRunSeconds: t.expose('expectedRunSeconds', { type: RunSeconds }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    json: t.field({ type: 'JSON', description: 'As GET /families/{id} shows it.', resolve: (family) => family }),
  }),
})

builder.objectType(AxisType, {
  authScopes: { caller: true },
  fields: (t) => ({
    name: t.exposeString('name'),
    label: t.exposeString('label'),
    values: t.exposeStringList('values'),
    default: t.exposeString('default'),
  }),
})

builder.objectType(VariantType, {
  authScopes: { caller: true },
  fields: (t) => ({
    modelId: t.exposeID('modelId'),
    label: t.exposeString('label'),
    tasks: t.exposeStringList('tasks'),
    axes: t.expose('axes', { type: 'JSON' }),
    inputs: t.expose('inputs', { type: 'JSON' }),
    parameterNames: t.exposeStringList('parameterNames'),
    prices: t.expose('prices', { type: [PriceType] }),
    creditsFrom: t.exposeFloat('creditsFrom'),
    expectedRunSeconds: t.expose('expectedRunSeconds', { type: RunSeconds }),
  }),
})

builder.objectType(PriceType, {
  authScopes: { caller: true },
  fields: (t) => ({ unit: t.exposeString('unit'), credits: t.exposeFloat('credits'), when: t.expose('when', { type: 'JSON' }) }),
})

/** Also of an estimate. */
export const RunSecondsType = builder.objectType(RunSeconds, {
  description: 'How long the work is expected to take.',
  authScopes: { caller: true },
  fields: (t) => ({ typical: t.exposeFloat('typical'), slow: t.exposeFloat('slow') }),
})

builder.queryFields((t) => ({
  families: t.connection(
    {
      type: FamilyType,
      description: 'The catalog, or what of it does a task or makes a kind of output, by identifier; all of it unless a page is asked for.',
      args: {
        task: t.arg.string({ description: 'As `text-to-image`.', validate: { schema: taskShape } }),
        outputType: t.arg.string({ description: 'As `image`.', validate: { schema: outputTypeShape } }),
      },
      authScopes: { service: true, key: 'catalog:read' },
      resolve: (_root, { task, outputType, ...page }, { context }) => {
        const wanted = [...context.catalog.families.values()].filter(
          (family) => (!task || family.tasks.some((each) => each === task)) && (!outputType || family.outputType === outputType),
        )
        const list = {
          ...familiesById,
          find: async (window: ListWindow) => {
            const availability = await availabilityFor(context)
            return inWindow(wanted, window).map((family) => presentFamily(family, lockReasonOf(family, availability)))
          },
        }
        return keyedConnection(page, list, wanted.length)
      },
    },
    {
      fields: (f) => ({
        json: f.field({
          type: 'JSON',
          description: 'As GET /families shows it.',
          resolve: ({ edges }) => ({ items: edges?.map((edge) => edge?.node), nextCursor: null }),
        }),
      }),
    },
  ),
  family: t.field({
    type: FamilyType,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    authScopes: { service: true, key: 'catalog:read' },
    resolve: (_root, { id }, { context }) => findFamily(context, id),
  }),
}))

const SetFamilyAvailabilityInput = builder.inputType('SetFamilyAvailabilityInput', {
  fields: (t) => ({
    familyId: t.id({ required: true }),
    available: t.boolean({ required: true }),
    teamId: t.id({ description: 'For that team alone, which can close a family for itself but open none that is locked otherwise.' }),
  }),
})

const SetFamilyAccessInput = builder.inputType('SetFamilyAccessInput', {
  fields: (t) => ({ familyId: t.id({ required: true }), teamId: t.id({ required: true }), granted: t.boolean({ required: true }) }),
})

builder.mutationFields((t) => ({
  setFamilyAvailability: t.field({
    type: FamilyType,
    description: 'Opens or locks a family, whatever its file says: for everybody, or for one team, for which it is then shown.',
    args: { input: t.arg({ type: SetFamilyAvailabilityInput, required: true }) },
    authScopes: (_root, { input }) => (typeof input.teamId === 'string' ? { teamAdmin: input.teamId } : { service: true }),
    resolve: async (_root, { input: { familyId, available, teamId } }, { context }) => {
      if (typeof teamId !== 'string') {
        await setFamilyAvailability(context, { familyId, available })
        return await requireFamily(context, familyId)
      }
      await setTeamFamilyAvailability(context, { familyId, available, teamId })
      return await requireFamily(context, familyId, teamId)
    },
  }),
  setFamilyAccess: t.field({
    type: FamilyType,
    description: 'Grants a team the use of a family with `restricted: true`, or takes it back; shown as it then is for that team.',
    args: { input: t.arg({ type: SetFamilyAccessInput, required: true }) },
    authScopes: { service: true },
    resolve: async (_root, { input }, { context }) => {
      await setFamilyAccess(context, input)
      return await requireFamily(context, input.familyId, input.teamId)
    },
  }),
}))

const familiesById: Pick<KeyedList<PublicFamily>, 'keyOf' | 'isKey'> = {
  keyOf: ({ id }) => id,
  isKey: (text) => /^[a-z0-9.-]{1,80}$/.test(text),
}

function inWindow(families: Family[], { after, before, limit, fromTheEnd }: ListWindow): Family[] {
  const between = families.filter(({ id }) => (after === undefined || id > after) && (before === undefined || id < before))
  return (fromTheEnd ? between.toReversed() : between).slice(0, limit)
}

function findFamily(context: Context, id: string): Promise<PublicFamily> | null {
  const family = context.catalog.families.get(id)
  return family ? presentFor(family, availabilityFor(context)) : null
}

async function presentFor(family: Family, availability: Promise<Availability>): Promise<PublicFamily> {
  return presentFamily(family, lockReasonOf(family, await availability))
}

/** As the caller has it, or as that team's keys of a subscriber do. */
async function requireFamily(context: Context, id: string, teamId?: string): Promise<PublicFamily> {
  const family = context.catalog.families.get(id)
  if (!family) throw new Refusal('family_not_found', { familyId: id })
  return await presentFor(family, teamId === undefined ? availabilityFor(context) : availabilityForTeam(context, teamId))
}
