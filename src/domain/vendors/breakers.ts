import type { Log } from '../../database/log.ts'
import type { Catalog } from '../catalog/loadCatalog.ts'
import type { Notices } from '../notices.ts'
import { makeRefreshingCache, type RefreshingCache } from '../refreshingCache.ts'
import { type Sql, statement } from '../sql.ts'

/** What a breaker locks after consecutive failures: a family, or a vendor whose account failed. */
export type BreakerSubject = `family:${string}` | `vendor:${string}`

export type Breaker = {
  subject: BreakerSubject
  /** Set while it is locked. After this time a trial may start. */
  lockedUntil: Date | null
  /** The start of the lock; failed trials do not move it. Null if an earlier release locked it. */
  lockedSince: Date | null
  /** Until this time the running trial keeps others out. */
  trialUntil: Date | null
  /** How often it was locked since it exists. */
  opened: number
}

export type Breakers = RefreshingCache<ReadonlyMap<string, Breaker>> & {
  /** The breakers that can stop work of a family, with those of its vendors. */
  breakersOfFamily(familyId: string): BreakerSubject[]
  /**
   * Seconds until work may start at these subjects; 0 when none is locked or a trial may start. The cached state may be slightly old:
   * claiming the trial decides.
   */
  lockedSeconds(subjects: readonly BreakerSubject[]): number
  /** As {@link lockedSeconds}, for a whole family: while it is locked, or all of its vendors are. */
  familyLockedSeconds(familyId: string): number
  /** When the lock of a family began, as for {@link familyLockedSeconds}; undefined without a lock, or if its start is not stored. */
  familyLockedSince(familyId: string): Date | undefined
  /** True when a start now would be a trial. */
  needsTrial(subjects: readonly BreakerSubject[]): boolean
  /** Clears all failures on an operator's request, in every process. */
  reset(subjects: readonly BreakerSubject[]): Promise<void>
}

/** Notification of a change to all processes, sent by `migrations/functions/record_breaker_outcome.sql` and related functions. */
const breakersNotice = { channel: 'catalog', subject: 'breakers' } as const

const readAll = statement<Omit<Breaker, 'opened'> & { opened: string }>(
  'read_breakers',
  'select subject, locked_until, locked_since, trial_until, opened from breakers',
)
const resetAll = statement<never>(
  'open_breakers',
  `with opened as (
     update breakers set faults = 0, faulted = '{}', failed_by = null, locked_until = null, lock_seconds = 0, trial_by = null, trial_until = null, since = present()
       where subject = any ($1) returning subject
   )
   select pg_notify('${breakersNotice.channel}', '${breakersNotice.subject}') from opened limit 1`,
)

export type BreakersOptions = { sql: Sql; notices: Notices; log: Log; clock: { now(): Date }; catalog(): Catalog }

/** Caches the breakers in memory, so that starts and catalog reads need no query. Rejects when the first read fails. */
export async function makeBreakers({ sql, notices, log, clock, catalog }: BreakersOptions): Promise<Breakers> {
  const read = async () =>
    new Map((await sql.all(readAll, [])).map((row): [string, Breaker] => [row.subject, { ...row, opened: Number(row.opened) }]))
  const cache = await makeRefreshingCache(read, { notices, notice: breakersNotice, name: 'breakers', log })
  const lockedBreakers = (subjects: readonly BreakerSubject[]) =>
    subjects.flatMap((subject) => {
      const breaker = cache.current().get(subject)
      return breaker?.lockedUntil ? [breaker] : []
    })
  const lockedSeconds = (subjects: readonly BreakerSubject[]) => {
    const moments = lockedBreakers(subjects).flatMap(({ lockedUntil, trialUntil }) => [lockedUntil, trialUntil])
    const until = Math.max(0, ...moments.map((moment) => moment?.getTime() ?? 0))
    return Math.max(0, Math.ceil((until - clock.now().getTime()) / 1000))
  }
  const providersOf = (familyId: string) =>
    catalog()
      .families.get(familyId)
      ?.variants.map(({ provider }) => provider.id) ?? []
  return {
    ...cache,
    breakersOfFamily: (familyId) => breakersOfFamily(familyId, providersOf(familyId)),
    needsTrial: (subjects) => lockedBreakers(subjects).length > 0,
    lockedSeconds,
    familyLockedSince(familyId) {
      const [ownLock] = lockedBreakers([`family:${familyId}`])
      const since = (ownLock ? [ownLock] : lockedBreakers(providersOf(familyId).map((id) => `vendor:${id}` as const))).map(
        ({ lockedSince }) => lockedSince?.getTime() ?? Number.NaN,
      )
      const last = Math.max(...since)
      return Number.isFinite(last) ? new Date(last) : undefined
    },
    familyLockedSeconds(familyId) {
      const vendors = providersOf(familyId).map((id) => lockedSeconds([`vendor:${id}`]))
      return Math.max(lockedSeconds([`family:${familyId}`]), vendors.length > 0 ? Math.min(...vendors) : 0)
    },
    async reset(subjects) {
      await sql.all(resetAll, [subjects])
      await cache.refresh()
    },
  }
}

/** The breakers that work of a family depends on at these providers. */
export function breakersOfFamily(familyId: string, providerIds: readonly string[]): BreakerSubject[] {
  return [`family:${familyId}`, ...[...new Set(providerIds)].map((id): BreakerSubject => `vendor:${id}`)]
}

/**
 * The breakers that can stop an attempt at a provider, and that its success closes. A fallback depends only on the breaker of its vendor:
 * the breaker of the family is about the variant that it replaces. A simulating provider has none.
 */
export function breakersOfAttempt(
  { familyId, isFallback }: { familyId: string; isFallback: boolean },
  provider: { id: string; simulated?: true },
): BreakerSubject[] {
  if (provider.simulated) return []
  return isFallback ? [`vendor:${provider.id}`] : breakersOfFamily(familyId, [provider.id])
}
