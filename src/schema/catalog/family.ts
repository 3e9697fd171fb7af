import { familyNotFound } from '../../contract/refusals/familyNotFound.ts'
import { family as familyShape, type PublicFamily, runSeconds } from '../../contract/shapes/family.ts'
import { familiesQuery } from '../../contract/shapes/queries.ts'
import { availabilityFor } from '../../domain/access/availability/availabilityFor.ts'
import type { Family } from '../../domain/catalog/family.ts'
import { lockReasonOf } from '../../domain/catalog/lockReason.ts'
import { presentFamily } from '../../domain/catalog/presentFamily.ts'
import type { Context } from '../../domain/context.ts'
import type { ListWindow } from '../../domain/listWindow.ts'
import { builder } from '../core/builder.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { type KeysetList, keysetConnection } from '../core/keysetConnection.ts'
import { allow, namedOwner } from '../core/scopes.ts'
import { argumentsOf, outputFields } from '../core/shapeFields.ts'
import { OutputTypeEnum } from './outputType.ts'

/** A family as one caller sees it. */
export const FamilyType = builder.objectRef<PublicFamily>('Family')

const RunSeconds = builder.objectRef<PublicFamily['expectedRunSeconds']>('RunSeconds')
const AxisType = builder.objectRef<PublicFamily['axes'][number]>('Axis')
const VariantType = builder.objectRef<PublicFamily['variants'][number]>('Variant')
const PriceType = builder.objectRef<PublicFamily['variants'][number]['prices'][number]>('Price')

builder.objectType(FamilyType, {
  description: 'A model family of the catalog, with its availability for the caller.',
  authScopes: { caller: true },
  fields: (t) => ({
    ...outputFields(t, familyShape, {
      id: { type: 'ID' },
      outputType: { type: OutputTypeEnum },
      axes: { type: [AxisType] },
      variants: { type: [VariantType] },
      parameters: maxFieldBytes(longest.parametersSchema),
      expectedRunSeconds: { type: RunSeconds },
    }),
    json: t.field({ type: 'JSON', description: 'The document of GET /families/{id}.', resolve: (family) => family }),
  }),
})

const variantShape = familyShape.shape.variants.element

builder.objectType(AxisType, { authScopes: { caller: true }, fields: (t) => outputFields(t, familyShape.shape.axes.element) })

builder.objectType(VariantType, {
  authScopes: { caller: true },
  fields: (t) =>
    outputFields(t, variantShape, {
      modelId: { type: 'ID' },
      axes: maxFieldBytes(longest.smallJson),
      inputs: { type: 'JSON', ...maxFieldBytes(longest.smallJson) },
      parameters: maxFieldBytes(longest.parametersSchema),
      prices: { type: [PriceType] },
      expectedRunSeconds: { type: RunSeconds },
    }),
})

builder.objectType(PriceType, {
  authScopes: { caller: true },
  fields: (t) => outputFields(t, variantShape.shape.prices.element, { when: maxFieldBytes(longest.smallJson) }),
})

/** Estimates use it too. */
export const RunSecondsType = builder.objectType(RunSeconds, {
  description: 'The expected duration of the work.',
  authScopes: { caller: true },
  fields: (t) => outputFields(t, runSeconds),
})

const teamIdMeans = 'For people and internal tools: the team whose availability and locks are shown. A key sees those of its own team.'

builder.queryFields((t) => ({
  families: t.connection(
    {
      type: FamilyType,
      description:
        'The catalog, optionally filtered by task or output type, ordered by identifier. All families without `first` or `last`.',
      args: {
        ...argumentsOf(familiesQuery),
        teamId: t.arg.id({ description: teamIdMeans }),
      },
      authScopes: (_root, { teamId }, request) => allow('catalog.read', namedOwner(teamId, request)),
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
          description: 'The document of GET /families.',
          resolve: ({ edges }) => ({ items: edges?.map((edge) => edge?.node), nextCursor: null }),
        }),
      }),
    },
  ),
  family: t.field({
    type: FamilyType,
    nullable: true,
    args: { id: t.arg.id({ required: true }), teamId: t.arg.id({ description: teamIdMeans }) },
    authScopes: (_root, { teamId }, request) => allow('catalog.read', namedOwner(teamId, request)),
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

/** Reads a family with its lock by {@link availabilityFor}. Refusals: family_not_found, invalid_request at `teamId`. */
export async function requireFamily(context: Context, id: string, teamId?: string | null): Promise<PublicFamily> {
  const found = await findFamily(context, id, teamId)
  if (!found) throw familyNotFound(id, context.catalog.families.keys())
  return found
}

async function findFamily(context: Context, id: string, teamId?: string | null): Promise<PublicFamily | null> {
  const family = context.catalog.families.get(id)
  return family ? presentFamily(family, lockReasonOf(family, await availabilityFor(context, teamId))) : null
}
