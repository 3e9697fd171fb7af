import type { PublicFamily } from '../contract/family.ts'
import { Refusal } from '../contract/refusals.ts'
import { outputType as outputTypeShape, task as taskShape } from '../contract/tasks.ts'
import { setFamilyAvailability } from '../domain/access/familyOverrides.ts'
import { lockReasonOf } from '../domain/catalog/availability.ts'
import type { Family } from '../domain/catalog/family.ts'
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
          find: async (window: ListWindow) => inWindow(wanted, window).map((family) => familyOf(context, family)),
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
  fields: (t) => ({ familyId: t.id({ required: true }), available: t.boolean({ required: true }) }),
})

builder.mutationField('setFamilyAvailability', (t) =>
  t.field({
    type: FamilyType,
    description: 'Opens or locks a family for everybody, whatever its file says.',
    args: { input: t.arg({ type: SetFamilyAvailabilityInput, required: true }) },
    authScopes: { service: true },
    resolve: async (_root, { input }, { context }) => {
      await setFamilyAvailability(context, input)
      return requireFamily(context, input.familyId)
    },
  }),
)

const familiesById: Pick<KeyedList<PublicFamily>, 'keyOf' | 'isKey'> = {
  keyOf: ({ id }) => id,
  isKey: (text) => /^[a-z0-9.-]{1,80}$/.test(text),
}

function inWindow(families: Family[], { after, before, limit, fromTheEnd }: ListWindow): Family[] {
  const between = families.filter(({ id }) => (after === undefined || id > after) && (before === undefined || id < before))
  return (fromTheEnd ? between.toReversed() : between).slice(0, limit)
}

/** The family as it is for the caller; an internal tool is locked out of none. */
function familyOf(context: Context, family: Family): PublicFamily {
  const subscriptionActive = context.actor.kind === 'key' ? context.actor.subscriptionActive : true
  return presentFamily(family, lockReasonOf(family, { overrides: context.familyOverrides.current(), subscriptionActive }))
}

function findFamily(context: Context, id: string): PublicFamily | null {
  const family = context.catalog.families.get(id)
  return family ? familyOf(context, family) : null
}

function requireFamily(context: Context, id: string): PublicFamily {
  const family = findFamily(context, id)
  if (!family) throw new Refusal('family_not_found', { familyId: id })
  return family
}
