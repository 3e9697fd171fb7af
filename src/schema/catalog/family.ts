import { familyNotFound } from '../../contract/refusals/familyNotFound.ts'
import type { PublicFamily } from '../../contract/shapes/family.ts'
import { outputType as outputTypeShape } from '../../contract/shapes/outputTypes.ts'
import { task as taskShape } from '../../contract/shapes/tasks.ts'
import { availabilityFor } from '../../domain/access/availability/availabilityFor.ts'
import type { Family } from '../../domain/catalog/family.ts'
import { lockReasonOf } from '../../domain/catalog/lockReason.ts'
import { presentFamily } from '../../domain/catalog/presentFamily.ts'
import type { Context } from '../../domain/context.ts'
import type { ListWindow } from '../../domain/listWindow.ts'
import { builder } from '../core/builder.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { type KeysetList, keysetConnection } from '../core/keysetConnection.ts'
import { memberScopes } from '../core/scopes.ts'
import { OutputTypeEnum } from './outputType.ts'

/** A family, for whoever it was read. */
export const FamilyType = builder.objectRef<PublicFamily>('Family')

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
    parameters: t.expose('parameters', {
      type: 'JSON',
      description: 'A JSON Schema (2020-12).',
      ...maxFieldBytes(longest.parametersSchema),
    }),
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
    axes: t.expose('axes', { type: 'JSON', ...maxFieldBytes(longest.smallJson) }),
    inputs: t.expose('inputs', { type: 'JSON', ...maxFieldBytes(longest.smallJson) }),
    parameterNames: t.exposeStringList('parameterNames'),
    parameters: t.expose('parameters', {
      type: 'JSON',
      description: 'A JSON Schema (2020-12) of just these, for forms.',
      ...maxFieldBytes(longest.parametersSchema),
    }),
    prices: t.expose('prices', { type: [PriceType] }),
    creditsFrom: t.exposeFloat('creditsFrom'),
    expectedRunSeconds: t.expose('expectedRunSeconds', { type: RunSeconds }),
  }),
})

builder.objectType(PriceType, {
  authScopes: { caller: true },
  fields: (t) => ({
    unit: t.exposeString('unit'),
    credits: t.exposeFloat('credits'),
    when: t.expose('when', { type: 'JSON', ...maxFieldBytes(longest.smallJson) }),
  }),
})

/** Also of an estimate. */
export const RunSecondsType = builder.objectType(RunSeconds, {
  description: 'How long the work is expected to take.',
  authScopes: { caller: true },
  fields: (t) => ({ typical: t.exposeFloat('typical'), slow: t.exposeFloat('slow') }),
})

const teamIdMeans = 'Whose keys the families are judged for, for people and internal tools. A key sees its own.'

builder.queryFields((t) => ({
  families: t.connection(
    {
      type: FamilyType,
      description: 'The catalog, or what of it does a task or makes a kind of output, by identifier; all of it unless a page is asked for.',
      args: {
        task: t.arg.string({ description: 'As `text-to-image`.', validate: { schema: taskShape } }),
        outputType: t.arg.string({ description: 'As `image`.', validate: { schema: outputTypeShape } }),
        teamId: t.arg.id({ description: teamIdMeans }),
      },
      authScopes: (_root, { teamId }, request) => ({ service: true, key: 'catalog:read', ...memberScopes(teamId, request) }),
      resolve: (_root, { task, outputType, teamId, ...page }, { context }) => {
        const wanted = [...context.catalog.families.values()].filter(
          (family) => (!task || family.tasks.some((each) => each === task)) && (!outputType || family.outputType === outputType),
        )
        const list = {
          ...familiesById,
          find: async (window: ListWindow) => {
            const availability = await availabilityFor(context, teamId)
            return inWindow(wanted, window).map((family) => presentFamily(family, lockReasonOf(family, availability)))
          },
        }
        return keysetConnection(page, list, wanted.length)
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
    args: { id: t.arg.id({ required: true }), teamId: t.arg.id({ description: teamIdMeans }) },
    authScopes: (_root, { teamId }, request) => ({ service: true, key: 'catalog:read', ...memberScopes(teamId, request) }),
    resolve: (_root, { id, teamId }, { context }) => findFamily(context, id, teamId),
  }),
}))

const familiesById: Pick<KeysetList<PublicFamily>, 'keyOf' | 'isKey'> = {
  keyOf: ({ id }) => id,
  isKey: (text) => /^[a-z0-9.-]{1,80}$/.test(text),
}

function inWindow(families: Family[], { after, before, limit, fromTheEnd }: ListWindow): Family[] {
  const between = families.filter(({ id }) => (after === undefined || id > after) && (before === undefined || id < before))
  return (fromTheEnd ? between.toReversed() : between).slice(0, limit)
}

/** As {@link availabilityFor} has it. Refusals: family_not_found, invalid_request at `teamId`. */
export async function requireFamily(context: Context, id: string, teamId?: string | null): Promise<PublicFamily> {
  const found = await findFamily(context, id, teamId)
  if (!found) throw familyNotFound(id, context.catalog.families.keys())
  return found
}

async function findFamily(context: Context, id: string, teamId?: string | null): Promise<PublicFamily | null> {
  const family = context.catalog.families.get(id)
  return family ? presentFamily(family, lockReasonOf(family, await availabilityFor(context, teamId))) : null
}
