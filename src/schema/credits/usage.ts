import { creditsOf } from '../../contract/hundredths.ts'
import { limits } from '../../contract/limits.ts'
import { invalidRequest } from '../../contract/refusals/refusals.ts'
import {
  filterFault,
  nameFault,
  type PublicUsage,
  resolveSpan,
  type Span,
  spanFault,
  type UsageFilter,
  type UsageGroup,
  type UsageLabel,
  usageGroups,
  usageLabels,
  usage as usageShape,
} from '../../contract/shapes/usage.ts'
import { accountIdOf } from '../../domain/access/spender.ts'
import type { Context } from '../../domain/context.ts'
import { usageByLabel } from '../../domain/credits/usageByLabel.ts'
import { type Usage, usageDaysOf, usageOf } from '../../domain/credits/usageOf.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { resolveTeamSpender } from '../core/resolveTeamSpender.ts'
import { allow } from '../core/scopes.ts'
import { outputFields } from '../core/shapeFields.ts'
import { ApiKeyType } from '../keys/apiKey.ts'
import { TeamType } from '../teams/team.ts'

const UsageBy = builder.enumType('UsageBy', { values: enumValues([...usageGroups, ...usageLabels]) })

const countsOfUsage = usageShape.shape.items.element.pick({ generations: true, ready: true, failed: true, cancelled: true })
type UsageBy = UsageGroup | UsageLabel
type UsageLine = Usage & { by: UsageBy; isOther?: boolean }
const UsageType = builder.objectRef<UsageLine>('Usage')

builder.objectType(UsageType, {
  description: 'The usage of one day, key, family, reference or value of metadata: generations that ended in the span.',
  authScopes: { caller: true },
  fields: (t) => ({
    day: t.string({ nullable: true, description: 'A day in UTC, YYYY-MM-DD.', resolve: ({ by, group }) => (by === 'day' ? group : null) }),
    key: t.field({
      type: ApiKeyType,
      nullable: true,
      description: 'Null also for generations that an internal tool started.',
      resolve: ({ by, group }) => (by === 'key' ? group : null),
    }),
    familyId: t.string({ nullable: true, resolve: ({ by, group }) => (by === 'family' ? group : null) }),
    reference: t.string({ nullable: true, resolve: ({ by, group }) => (by === 'reference' ? group : null) }),
    metadataValue: t.string({ nullable: true, resolve: ({ by, group }) => (by === 'metadata' ? group : null) }),
    isOther: t.boolean({
      description: 'Whether it is the line for everything without a line of its own, with REFERENCE and METADATA.',
      resolve: ({ isOther }) => isOther ?? false,
    }),
    ...outputFields(t, countsOfUsage, { generations: { description: 'Generations that ended in the span.' } }),
    creditsCharged: t.float({ resolve: ({ charged }) => creditsOf(charged) }),
  }),
})

const nameArgument = { description: 'The name of an entry of the metadata, with METADATA.' } as const
const UsageListType = builder.objectRef<PublicUsage>('UsageList')

builder.objectType(UsageListType, {
  authScopes: { caller: true },
  fields: (t) => ({ json: t.field({ type: 'JSON', description: 'The document of GET /usage.', resolve: (list) => list }) }),
})

builder.queryField('usage', (t) =>
  t.field({
    type: UsageListType,
    ...countsAsPage,
    description: 'The usage and holds of the named team, or of the team of the key.',
    args: {
      teamId: t.arg.id(),
      from: t.arg({ type: 'DateTime' }),
      to: t.arg({ type: 'DateTime' }),
      by: t.arg({ type: UsageBy }),
      name: t.arg.string(nameArgument),
      keyId: t.arg.id({ description: 'Only the days of this key, with DAY.' }),
      familyId: t.arg.string({ description: 'Only the days of this family, with DAY.' }),
    },
    authScopes: (_root, { teamId }) => allow('usage.read', teamId),
    resolve: async (_root, { teamId, from, to, by, name, ...filter }, { context }) => {
      const group = by ?? 'day'
      const span = resolveSpan({ from, to }, context.clock.now())
      const fault = spanFault(span)
      if (fault) throw invalidRequest({ in: 'query', path: [to ? 'to' : 'from'], ...fault })
      requireName({ by: group, name }, 'query')
      const filterIssue = filterFault(group, filter)
      if (filterIssue) throw invalidRequest({ in: 'query', path: [filterIssue.at], code: filterIssue.code, message: filterIssue.message })
      const usage = await readUsage(context, await resolveTeamSpender(context, teamId), { ...span, by: group, name, ...filter })
      return { items: usage.map((each) => usageLine(group, each)), nextCursor: null }
    },
  }),
)

builder.objectField(TeamType, 'usage', (t) =>
  t.field({
    type: [UsageType],
    ...countsAsPage,
    description: `Whole days in UTC, from the day of \`from\` to the day of the last moment before \`to\`; at most ${limits.usageDays} days.`,
    args: {
      from: t.arg({ type: 'DateTime', required: true }),
      to: t.arg({ type: 'DateTime', required: true, description: 'The end of the span, exclusive.' }),
      by: t.arg({ type: UsageBy, required: true }),
      first: t.arg.int({ description: 'The maximum of keys or families, the most expensive first. Days are not limited.' }),
      name: t.arg.string(nameArgument),
    },
    resolve: async ({ id }, { first, ...asked }, { context }) => {
      requireName(asked, 'body')
      const usage = await readUsage(context, teamSpender(id), { ...asked, first: readCount(first) })
      return usage.filter(({ generations }) => generations > 0).map((each) => ({ ...each, by: asked.by }))
    },
  }),
)

type Owner = { accountId: string; ownerId: string }
type Asked = Span & { by: UsageBy; name?: string | null | undefined; first?: number | undefined } & UsageFilter

async function readUsage(
  context: Context,
  owner: Owner,
  { by, name, keyId, familyId, ...asked }: Asked,
): Promise<(Usage & { isOther?: boolean })[]> {
  if (typeof keyId === 'string') return await usageDaysOf(context, owner, { keyId }, asked)
  if (typeof familyId === 'string') return await usageDaysOf(context, owner, { familyId }, asked)
  if (by === 'reference') return await usageByLabel(context, owner, { ...asked, name: undefined })
  if (by === 'metadata') return await usageByLabel(context, owner, { ...asked, name: name ?? '' })
  return await usageOf(context, owner, { ...asked, by })
}

/** Refusals: invalid_request at `name`. */
function requireName({ by, name }: Pick<Asked, 'by' | 'name'>, place: 'query' | 'body'): void {
  const fault = nameFault({ by, name: name ?? undefined })
  if (fault) throw invalidRequest({ in: place, path: ['name'], ...fault })
}

const groupFields: Record<UsageBy, (group: string | null) => Partial<PublicUsage['items'][number]>> = {
  day: (day) => ({ day: day ?? '' }),
  key: (keyId) => ({ keyId }),
  family: (familyId) => ({ familyId: familyId ?? '' }),
  reference: (reference) => ({ reference }),
  metadata: (metadataValue) => ({ metadataValue }),
}

function usageLine(by: UsageBy, { group, isOther, ...usage }: Usage & { isOther?: boolean }): PublicUsage['items'][number] {
  return {
    ...groupFields[by](group),
    ...(isOther ? { other: true } : {}),
    generations: usage.generations + usage.active,
    ready: usage.ready,
    failed: usage.failed,
    cancelled: usage.cancelled,
    active: usage.active,
    creditsCharged: creditsOf(usage.charged),
    creditsHeld: creditsOf(usage.held),
  }
}

function teamSpender(id: string) {
  return { ownerId: id, accountId: accountIdOf(id) }
}

/** Reads the maximum of groups; without one, all. Refusals: invalid_request at `first`. */
function readCount(first: number | null | undefined): number | undefined {
  if (first === null || first === undefined) return undefined
  if (first < 1) throw invalidRequest({ in: 'body', path: ['first'], code: 'too_small', message: 'Takes at least 1.' })
  return first
}
