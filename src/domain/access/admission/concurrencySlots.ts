import { type Sql, statement } from '../../sql.ts'

/** The slots that this process has given to requests in progress, and those given back that the database has not heard of yet. */
export type ConcurrencySlots = {
  /** Gives a slot; returns what gives it back, harmless when repeated. */
  acquire(subject: string): () => void
  /** Those given back since the last call, which is the caller's to tell. */
  drainReleased(): [subject: string, count: number][]
  hasReleased(): boolean
  /** A statement about slots may have been carried out or not. */
  doubt(): void
  /** While in doubt tells the database what is held, whatever it believed before; true as long as it must be told again. */
  resync(): Promise<boolean>
}

const stateSlots = statement<never>('set_process_slots', 'select set_process_slots($1, $2::text[], $3::integer[])')

/** A statement whose answer never came may still be carried out for so long. */
const resyncForMs = 6000
const resyncIntervalMs = 1000

/** `onReleased` hears of every slot that is given back. */
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
      let left = false
      add(held, subject, 1)
      return () => {
        if (left) return
        left = true
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

/** Tells the database which slots a process holds, and that it holds no others. */
export async function reportHeldSlots(sql: Sql, processId: string, held: [subject: string, count: number][]): Promise<void> {
  await sql.one(stateSlots, [processId, held.map(([subject]) => subject), held.map(([, count]) => count)])
}

function add(counts: Map<string, number>, subject: string, more: number): void {
  const count = (counts.get(subject) ?? 0) + more
  if (count === 0) counts.delete(subject)
  else counts.set(subject, count)
}
