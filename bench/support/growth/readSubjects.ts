import type { Asking } from './request.ts'
import { graphqlRead, restRead } from './request.ts'

/** What the reads of one team ask for. Each value exists in the team, unless its description says otherwise. */
export type ReadSubjects = {
  teamId: string
  keyId: string
  userId: string
  subscriptionId: string
  /** The last generation of the first page. */
  generationId: string
  /** Undefined for a team without one, like the file. */
  deliveryId: string | undefined
  fileId: string | undefined
  /** `cursor` of REST after 200 generations; undefined for a team with fewer. */
  deepCursor: string | undefined
  /** `after` of GraphQL at the same place. */
  deepAfter: string | undefined
  familyId: string
  /** Of every hundredth generation, and of none in a database that was loaded before `loadHistory` wrote references. */
  reference: string
  /** Like the reference. */
  metadata: Record<string, string>
  /** In every prompt. */
  commonWord: string
  /** In no prompt, so that a search reads as far as it may. */
  missingWord: string
  /** The first of the fifty subjects of the team in the audit log. */
  auditSubject: string
  /** The actor of all entries of the team in the audit log. */
  auditActor: string
  moments: { days92: Span; days30: Span; oneDay: Span }
}

export type Span = { from: string; to: string }

/** The constant values, which `loadHistory` writes. */
const loadedValues = {
  familyId: 'bench-image',
  reference: 'order-7',
  metadata: { project: 'harbour' },
  commonWord: 'lighthouse',
  missingWord: 'submarine',
}

const deepPages = 20
type Listed<Item> = { nextCursor: string | null; items: Item[] }
type Paged = { data: { team: { generations: { pageInfo: { endCursor: string | null; hasNextPage: boolean } } } } }
type Team = { key: string; keyId: string; userId: string; teamId: string; subscriptionId: string }

/** Finds what to ask for in the lists of a team. `owner`: its number in `loadHistory`. */
export async function subjectsOf(asking: Asking, team: Team, owner: number, serviceToken: string): Promise<ReadSubjects> {
  const list = async <Item>(path: string) => ((await asking.ask(restRead(team.key, path))) as Listed<Item>).items
  const generations = await list<{ generationId: string }>('generations')
  const deliveries = await list<{ id: string }>(`webhooks/${team.subscriptionId}/deliveries`)
  const files = await list<{ fileId: string }>('files')
  const { teamId, keyId, userId, subscriptionId } = team
  return {
    ...loadedValues,
    ...{ teamId, keyId, userId, subscriptionId },
    generationId: generations.at(-1)?.generationId ?? '',
    deliveryId: deliveries.at(-1)?.id,
    fileId: files.at(-1)?.fileId,
    deepCursor: await deepCursor(asking, team.key),
    deepAfter: await deepAfter(asking, teamId, serviceToken),
    auditSubject: numbered('key', owner * 50),
    auditActor: numbered('user', owner),
    moments: { days92: span(-91, 1), days30: span(-29, 1), oneDay: span(-10, -9) },
  }
}

/** As the `idOf` of `loadHistory`. */
const numbered = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`

async function deepCursor(asking: Asking, key: string): Promise<string | undefined> {
  let cursor: string | undefined
  for (let pages = 0; pages < deepPages; pages += 1) {
    const path = `generations?limit=10${cursor === undefined ? '' : `&cursor=${cursor}`}`
    const page = (await asking.ask(restRead(key, path))) as Listed<unknown>
    if (page.nextCursor === null) return undefined
    cursor = page.nextCursor
  }
  return cursor
}

async function deepAfter(asking: Asking, id: string, serviceToken: string): Promise<string | undefined> {
  let after: string | null = null
  const query =
    'query ($id: ID!, $after: String) { team(id: $id) { generations(first: 50, after: $after) { pageInfo { endCursor hasNextPage } } } }'
  for (let pages = 0; pages < deepPages / 5; pages += 1) {
    const page = (await asking.ask(graphqlRead(serviceToken, query, { id, after }))) as Paged
    const { endCursor, hasNextPage } = page.data.team.generations.pageInfo
    if (!hasNextPage || endCursor === null) return undefined
    after = endCursor
  }
  return after ?? undefined
}

/** Whole days (UTC), counted from today. */
function span(fromDays: number, toDays: number): Span {
  const day = 86_400_000
  const moment = (days: number) => new Date(Math.floor(Date.now() / day) * day + days * day).toISOString()
  return { from: moment(fromDays), to: moment(toDays) }
}
