import type { Log } from '../../database/log.ts'
import type { Catalog } from '../catalog/loadCatalog.ts'
import type { Notices } from '../notices.ts'
import { makeRefreshingCache, type RefreshingCache } from '../refreshingCache.ts'
import { type Sql, statement } from '../sql.ts'

/** Who can be locked because of failures in a row: a family, or a vendor whose account is at fault. */
export type BreakerSubject = `family:${string}` | `vendor:${string}`

export type Breaker = {
  subject: BreakerSubject
  /** Set while it is locked; once it has passed, a trial may be let in. */
  lockedUntil: Date | null
  /** Until when the trial that was let in keeps others out. */
  trialUntil: Date | null
  /** How often it was locked, ever. */
  opened: number
}

export type Breakers = RefreshingCache<ReadonlyMap<string, Breaker>> & {
  /** What work of a family can be kept from by; its vendors included. */
  breakersOfFamily(familyId: string): BreakerSubject[]
  /**
   * For how many seconds nobody is let in at one of the subjects; 0 where none is locked, or a trial may be let in. By what this process
   * knows, which may be a moment old: what decides is the claim of a trial.
   */
  lockedSeconds(subjects: readonly BreakerSubject[]): number
  /** As {@link lockedSeconds}, for a family as a whole: while it is locked itself, or each of its vendors is. */
  familyLockedSeconds(familyId: string): number
  /** Whether whoever comes now would come as a trial. */
  needsTrial(subjects: readonly BreakerSubject[]): boolean
  /** Forgets all failures, by an operator's word, in every process. */
  reset(subjects: readonly BreakerSubject[]): Promise<void>
}

/** Where a change is told to every process; by `migrations/functions/judge_breakers.sql` and those beside it. */
const breakersNotice = { channel: 'catalog', subject: 'breakers' } as const

const readAll = statement<Omit<Breaker, 'opened'> & { opened: string }>(
  'read_breakers',
  'select subject, locked_until, trial_until, opened from breakers',
)
const resetAll = statement<never>(
  'open_breakers',
  `with opened as (
     update breakers set faults = 0, faulted = '{}', failed_by = null, locked_until = null, lock_seconds = 0, trial_by = null, trial_until = null, since = present()
       where subject = any ($1) returning subject
   )
   select pg_notify('${breakersNotice.channel}', '${breakersNotice.subject}') from opened limit 1`,
)

export type BreakersOptions = { sql: Sql; notices: Notices; log: Log; clock: { now(): Date }; catalog: Catalog }

/** Keeps the breakers in memory, so that neither a start nor a look at the catalog asks for them. Rejects when the first reading fails. */
export async function makeBreakers({ sql, notices, log, clock, catalog }: BreakersOptions): Promise<Breakers> {
  const read = async () =>
    new Map((await sql.all(readAll, [])).map((row): [string, Breaker] => [row.subject, { ...row, opened: Number(row.opened) }]))
  const kept = await makeRefreshingCache(read, { notices, notice: breakersNotice, name: 'breakers', log })
  const lockedBreakers = (subjects: readonly BreakerSubject[]) =>
    subjects.flatMap((subject) => {
      const breaker = kept.current().get(subject)
      return breaker?.lockedUntil ? [breaker] : []
    })
  const lockedSeconds = (subjects: readonly BreakerSubject[]) => {
    const moments = lockedBreakers(subjects).flatMap(({ lockedUntil, trialUntil }) => [lockedUntil, trialUntil])
    const until = Math.max(0, ...moments.map((moment) => moment?.getTime() ?? 0))
    return Math.max(0, Math.ceil((until - clock.now().getTime()) / 1000))
  }
  const providersOf = (familyId: string) => catalog.families.get(familyId)?.variants.map(({ provider }) => provider.id) ?? []
  return {
    ...kept,
    breakersOfFamily: (familyId) => breakersOfFamily(familyId, providersOf(familyId)),
    needsTrial: (subjects) => lockedBreakers(subjects).length > 0,
    lockedSeconds,
    familyLockedSeconds(familyId) {
      const vendors = providersOf(familyId).map((id) => lockedSeconds([`vendor:${id}`]))
      return Math.max(lockedSeconds([`family:${familyId}`]), vendors.length > 0 ? Math.min(...vendors) : 0)
    },
    async reset(subjects) {
      await sql.all(resetAll, [subjects])
      await kept.refresh()
    },
  }
}

/** The breakers that work of a family meets at these providers. */
export function breakersOfFamily(familyId: string, providerIds: readonly string[]): BreakerSubject[] {
  return [`family:${familyId}`, ...[...new Set(providerIds)].map((id): BreakerSubject => `vendor:${id}`)]
}
