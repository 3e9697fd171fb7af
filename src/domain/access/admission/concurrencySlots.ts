import { type Sql, statement } from '../../sql.ts'

/** The slots that requests of this process hold, and the released slots that are not yet written to the database. */
export type ConcurrencySlots = {
  /** Takes a slot. The returned function releases it; a second call does nothing. */
  acquire(subject: string): () => void
  /** Returns the slots released since the last call. The caller must write them to the database. */
  drainReleased(): [subject: string, count: number][]
  hasReleased(): boolean
  /** Records that a statement about slots failed with an unknown outcome. */
  doubt(): void
  /** After {@link doubt}, overwrites the slots of this process in the database. Resolves to true while it must be repeated. */
  resync(): Promise<boolean>
}

const stateSlots = statement<never>('set_process_slots', 'select set_process_slots($1, $2::text[], $3::integer[])')

/** A statement without an answer may still run for this time. */
const resyncForMs = 6000
const resyncIntervalMs = 1000

/** Calls `onReleased` for every released slot. */
export function concurrencySlots({ sql, processId, onReleased }: { sql: Sql; processId: string; onReleased(): void }): ConcurrencySlots {
  const held = new Map<string, number>()
  const freed = new Map<string, number>()
  let doubted: { since: number; statedAt: number } | undefined
  const drainReleased = () => {
    const taken = [...freed]
    freed.clear()
    return taken
  }
  return {
    acquire(subject) {
      let released = false
      add(held, subject, 1)
      return () => {
        if (released) return
        released = true
        add(held, subject, -1)
        add(freed, subject, 1)
        onReleased()
      }
    },
    drainReleased,
    hasReleased: () => freed.size > 0,
    doubt() {
      doubted = { since: performance.now(), statedAt: Number.NEGATIVE_INFINITY }
    },
    async resync() {
      const now = performance.now()
      if (!doubted || now - doubted.statedAt < resyncIntervalMs) return doubted !== undefined
      drainReleased()
      await reportHeldSlots(sql, processId, [...held])
      doubted = now - doubted.since > resyncForMs ? undefined : { ...doubted, statedAt: now }
      return doubted !== undefined
    },
  }
}

/** Overwrites the slots of a process in the database with `held`. */
export async function reportHeldSlots(sql: Sql, processId: string, held: [subject: string, count: number][]): Promise<void> {
  await sql.one(stateSlots, [processId, held.map(([subject]) => subject), held.map(([, count]) => count)])
}

function add(counts: Map<string, number>, subject: string, more: number): void {
  const count = (counts.get(subject) ?? 0) + more
  if (count === 0) counts.delete(subject)
  else counts.set(subject, count)
}
