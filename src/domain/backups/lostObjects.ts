import { forEachConcurrent } from '../../concurrency/forEachConcurrent.ts'
import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'
import { namedNow, namedObjects } from './namedObjects.ts'

/** A ready file, result or staged output whose object is missing (`foundBytes` undefined) or has another size than its row says. */
export type LostObject = { key: string; sizeBytes: number | null; foundBytes: number | undefined }

/** `looked` is the number of objects checked. `lost` lists the first hundred missing ones. */
export type ObjectsFound = { looked: number; lostCount: number; lost: LostObject[] }

type Row = { id: string; key: string; sizeBytes: number | null }
type Kind = keyof typeof namedObjects

const pageSize = 1000
const sampleSize = 200
const atOnce = 16
const namedMax = 100

const pages = Object.fromEntries(
  Object.entries(namedObjects).map(([kind, selection]) => [
    kind,
    statement<Row>(
      `page_of_${kind}`,
      `select o.id, o.key, o.size_bytes from (${selection}) o where o.id > $1 and not o.settling order by o.id limit ${pageSize}`,
    ),
  ]),
) as Record<Kind, Statement<Row>>

type Sample = { newest: Statement<Row>; span: Statement<{ first: string | null; last: string | null }>; drawn: Statement<Row> }

const samples: Sample[] = (['files', 'results'] as const).map((kind) => {
  const table = kind === 'files' ? 'files' : 'generations'
  const settled = `from (${namedObjects[kind]}) o where not o.settling`
  return {
    newest: statement(`newest_${kind}`, `select o.id, o.key, o.size_bytes ${settled} order by o.id desc limit ${sampleSize / 2}`),
    span: statement(`span_of_${kind}`, `select min(id) as first, max(id) as last from ${table}`),
    drawn: statement(
      `drawn_${kind}`,
      `select distinct d.* from unnest($1::text[]) as drawn (id) cross join lateral (
         select o.id, o.key, o.size_bytes ${settled} and o.id >= drawn.id order by o.id limit 1) d`,
    ),
  }
})

/**
 * Checks for every object named by a row that the storage has it in the right size, without reading its bytes. Only one page of rows is
 * in memory at a time. `onPage` gets the last key of each page; pass that key as `after` to resume there.
 */
export async function findLostObjects(
  context: Pick<Context, 'sql' | 'storage'>,
  { after, onPage }: { after?: string | undefined; onPage?: (key: string, found: ObjectsFound) => void } = {},
): Promise<ObjectsFound> {
  const found: ObjectsFound = { looked: 0, lostCount: 0, lost: [] }
  const [folder, afterId = ''] = after?.split('/') ?? []
  const kinds: Kind[] = ['files', 'made', 'results']
  for (const kind of kinds) {
    if (folder !== undefined && kind < folder) continue
    for (let last = kind === folder ? afterId : ''; ; ) {
      const page = await context.sql.all(pages[kind], [last])
      await checkRows(context, page, found)
      const end = page.at(-1)
      if (end) onPage?.(end.key, found)
      if (!end || page.length < pageSize) break
      last = end.id
    }
  }
  return found
}

/** Like {@link findLostObjects}, for a few hundred objects: the newest ones, and some at random points of the history. */
export async function sampleObjects(context: Pick<Context, 'sql' | 'storage'>): Promise<ObjectsFound> {
  const found: ObjectsFound = { looked: 0, lostCount: 0, lost: [] }
  for (const { newest, span, drawn } of samples) {
    const { first, last } = (await context.sql.one(span, [])) ?? {}
    if (typeof first !== 'string' || typeof last !== 'string') continue
    const ids = Array.from({ length: sampleSize / 2 }, () => idBetween(first, last))
    const rows = [...(await context.sql.all(newest, [])), ...(await context.sql.all(drawn, [ids]))]
    await checkRows(context, [...new Map(rows.map((row) => [row.key, row])).values()], found)
  }
  return found
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
const timeDigits = 10

/** A random identifier prefix between two identifiers. The first ten digits of an identifier count milliseconds. */
function idBetween(first: string, last: string): string {
  const prefix = first.slice(0, first.indexOf('_') + 1)
  const timeOf = (id: string) =>
    Array.from(id.slice(prefix.length, prefix.length + timeDigits)).reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0)
  let time = Math.floor(timeOf(first) + (timeOf(last) - timeOf(first)) * Math.random())
  let text = ''
  for (let place = 0; place < timeDigits; place += 1) {
    text = `${digits[time % 32]}${text}`
    time = Math.floor(time / 32)
  }
  return prefix + text
}

async function checkRows({ sql, storage }: Pick<Context, 'sql' | 'storage'>, rows: Row[], found: ObjectsFound): Promise<void> {
  const suspects: LostObject[] = []
  await forEachConcurrent(each(rows), atOnce, async ({ key, sizeBytes }) => {
    const foundBytes = await storage.size(key)
    if (foundBytes === undefined || (sizeBytes !== null && foundBytes !== sizeBytes)) suspects.push({ key, sizeBytes, foundBytes })
  })
  found.looked += rows.length
  if (suspects.length === 0) return
  // An object whose row was deleted during the check is not lost.
  const named = await namedNow(
    { sql },
    suspects.map(({ key }) => key),
  )
  const lost = suspects.filter(({ key }) => named.has(key))
  found.lostCount += lost.length
  found.lost.push(...lost.slice(0, Math.max(0, namedMax - found.lost.length)))
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}
