import type { Atelier } from '../../atelier.ts'
import { NotFoundError } from '../../errorKinds.ts'
import type { Generation } from '../../openapi.ts'
import { type EndedGeneration, isEnded } from '../../pollStates.ts'

const pageItems = 50
/** Of what has ended: more are never on the pages that are read again. */
const seenMax = 5000
/** Work waits for a day at most before it is given up, and then takes its time. */
const longestWorkMs = 26 * 3600 * 1000

/** What is known of a history that is read again and again. */
export type Watch = {
  /** What has not ended yet, however long ago it began. */
  unfinished: Set<string>
  /** What has ended and was told, as far as it is above the floor. */
  seen: Set<string>
  /** Nothing that began before this one is new. Identifiers grow with time. */
  floor: string
  /** Endings that are to be told. Taken from here, so that a look which breaks off loses none. */
  found: EndedGeneration[]
}

type Reading = { client: Atelier; signal: AbortSignal }

/**
 * Reads what there is now: from here on each ending is found once. With `since`, endings from that moment on are found as well; for that
 * the history is read back to the beginning of what may have ended then.
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
  addOlder(watch, await activeOnes(reading), newest)
  return watch
}

/**
 * One look: the newest pages down to what is known, then what goes on, then each that went on before and is in neither. Throws what the
 * client throws; what was found until then stays in `found`, and the next look finds the rest.
 */
export async function look(reading: Reading, watch: Watch): Promise<void> {
  const newest: Generation[] = []
  for await (const { items } of pages(reading, {})) {
    newest.push(...items)
    const oldest = items.at(-1)
    if (oldest === undefined || isKnown(watch, oldest.generationId)) break
  }
  // Only once all of them are there: the next look stops at what this one has met.
  for (const generation of newest) meet(watch, generation)
  const active = await activeOnes(reading)
  addOlder(watch, active, newest[0])
  const met = new Set([...newest, ...active].map(({ generationId }) => generationId))
  for (const id of [...watch.unfinished].filter((each) => !met.has(each))) await lookAt(reading, watch, id)
  forget(watch)
}

/** Those that go on, but for what began since the newest page: the next look must not stop at one of them, above others that have ended. */
function addOlder(watch: Watch, active: readonly Generation[], newest: Generation | undefined): void {
  for (const { generationId: id } of active) if (newest && id <= newest.generationId && !watch.seen.has(id)) watch.unfinished.add(id)
}

function isKnown(watch: Watch, id: string): boolean {
  return watch.unfinished.has(id) || watch.seen.has(id) || id <= watch.floor
}

/** Takes a generation in as it stands. One that had ended before it could be known is not told. */
function meet(watch: Watch, generation: Generation): void {
  const { generationId: id } = generation
  if (!isEnded(generation)) watch.unfinished.add(id)
  else if (watch.unfinished.delete(id) || !isKnown(watch, id)) {
    watch.seen.add(id)
    watch.found.push(generation)
  }
}

async function lookAt({ client, signal }: Reading, watch: Watch, id: string): Promise<void> {
  try {
    meet(watch, await client.getGeneration(id, { signal }))
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    watch.unfinished.delete(id)
  }
}

async function activeOnes(reading: Reading): Promise<Generation[]> {
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

/** Keeps what was told small: what is far below the newest counts as told by its age. */
function forget(watch: Watch): void {
  if (watch.seen.size <= seenMax) return
  const ids = [...watch.seen].toSorted()
  const old = ids.slice(0, ids.length - seenMax / 2)
  watch.floor = old.at(-1) ?? watch.floor
  for (const id of old) watch.seen.delete(id)
}
