import type { Atelier } from '../../atelier.ts'
import { NotFoundError } from '../../errors/errorKinds.ts'
import { type EndedGeneration, isEnded } from '../../generations/pollStates.ts'
import type { Generation } from '../../openapi.ts'

const pageItems = 50
/** The maximum number of seen identifiers. Older ones never appear on the polled pages. */
const seenMax = 5000
/** Work waits for at most a day, and then has its own running time. */
const longestWorkMs = 26 * 3600 * 1000

/** The state of polling the history. */
export type Watch = {
  /** Unfinished generations, of any age. */
  unfinished: Set<string>
  /** Ended generations that were handled and are above the floor. */
  seen: Set<string>
  /** Generations up to this identifier are not new. Identifiers grow with time. */
  floor: string
  /** Ended generations to handle. They stay here when a poll fails, so that none is lost. */
  found: EndedGeneration[]
}

type Reading = { client: Atelier; signal: AbortSignal }

/**
 * Reads the current history. From then on each end is found once. With `since` also ends since that time: the history is read back as far
 * as work that may have ended then.
 */
export async function beginWatch(reading: Reading, since: Date | undefined): Promise<Watch> {
  const watch: Watch = { unfinished: new Set(), seen: new Set(), floor: '', found: [] }
  let newest: Generation | undefined
  const readTo = since === undefined ? Number.POSITIVE_INFINITY : since.getTime() - longestWorkMs
  for await (const { items, isLast } of pages(reading, {})) {
    newest ??= items[0]
    for (const generation of items) {
      const isWanted = since !== undefined && Date.parse(generation.finishedAt ?? '') >= since.getTime()
      if (!isEnded(generation)) watch.unfinished.add(generation.generationId)
      else {
        watch.seen.add(generation.generationId)
        if (isWanted) watch.found.push(generation)
      }
    }
    const oldest = items.at(-1)
    watch.floor = isLast ? '' : (oldest?.generationId ?? '')
    if (oldest === undefined || Date.parse(oldest.createdAt) < readTo) break
  }
  addOlder(watch, await activeGenerations(reading), newest)
  return watch
}

/**
 * Polls once: reads the newest pages until a known generation, then the active generations, then each unfinished one in neither list. Throws errors
 * of the client. Ends that were found before stay in `found`, and the next poll finds the rest.
 */
export async function pollHistory(reading: Reading, watch: Watch): Promise<void> {
  const newest: Generation[] = []
  for await (const { items } of pages(reading, {})) {
    newest.push(...items)
    const oldest = items.at(-1)
    if (oldest === undefined || isKnown(watch, oldest.generationId)) break
  }
  // Only after all pages were read, because the next poll stops at a handled generation.
  for (const generation of newest) handle(watch, generation)
  const active = await activeGenerations(reading)
  addOlder(watch, active, newest[0])
  const handled = new Set([...newest, ...active].map(({ generationId }) => generationId))
  for (const id of [...watch.unfinished].filter((each) => !handled.has(each))) await pollOne(reading, watch, id)
  dropOldest(watch)
}

/**
 * Adds active generations, except those newer than the newest page: the next poll must not stop at one of them before it saw ended ones.
 */
function addOlder(watch: Watch, active: readonly Generation[], newest: Generation | undefined): void {
  for (const { generationId: id } of active) if (newest && id <= newest.generationId && !watch.seen.has(id)) watch.unfinished.add(id)
}

function isKnown(watch: Watch, id: string): boolean {
  return watch.unfinished.has(id) || watch.seen.has(id) || id <= watch.floor
}

/** Handles a generation. Ignores a generation that ended before the watch began. */
function handle(watch: Watch, generation: Generation): void {
  const { generationId: id } = generation
  if (!isEnded(generation)) watch.unfinished.add(id)
  else if (watch.unfinished.delete(id) || !isKnown(watch, id)) {
    watch.seen.add(id)
    watch.found.push(generation)
  }
}

async function pollOne({ client, signal }: Reading, watch: Watch, id: string): Promise<void> {
  try {
    handle(watch, await client.getGeneration(id, { signal }))
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    watch.unfinished.delete(id)
  }
}

async function activeGenerations(reading: Reading): Promise<Generation[]> {
  const found: Generation[] = []
  for await (const { items } of pages(reading, { status: 'active' })) found.push(...items)
  return found
}

type Page = { items: Generation[]; isLast: boolean }

async function* pages({ client, signal }: Reading, filter: { status?: 'active' }): AsyncGenerator<Page, void, undefined> {
  let cursor: string | null = null
  do {
    const page = await client.listGenerations({ ...filter, limit: pageItems, ...(cursor === null ? {} : { cursor }) }, { signal })
    yield { items: page.items, isLast: page.nextCursor === null }
    cursor = page.nextCursor
  } while (cursor !== null)
}

/** Limits `seen`: drops the oldest identifiers and raises `floor`, so that everything below counts as seen. */
function dropOldest(watch: Watch): void {
  if (watch.seen.size <= seenMax) return
  const ids = [...watch.seen].toSorted()
  const old = ids.slice(0, ids.length - seenMax / 2)
  watch.floor = old.at(-1) ?? watch.floor
  for (const id of old) watch.seen.delete(id)
}
