import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import { newWorkFlag, startedWorkFlag } from '../../domain/generations/steps/queueStep.ts'
import type { JobServices } from './jobContext.ts'

/** Limits the fetches of a runner, so that it takes only jobs that can get a shared slot. */
export type FetchThrottle = {
  /**
   * Before a fetch: resolves with the flags of jobs to skip. Waits while pending fetches could fill the free slots. Calls resolve in their
   * order.
   */
  before(): Promise<string[] | null>
  /** After a fetch that returned no job, or failed. */
  onEmptyFetch(): void
  /** For a fetched job: the slots that it takes from, and a function to call at its end. */
  forJob(): { slots: SharedSlots; end(): void }
}

/** Normally a fetch ends sooner and its job takes a slot sooner. Later, the fetch no longer blocks others. */
const fetchMsMax = 5_000
const waitMsMax = 1_000
/** A fetch that skips full families reads all of their jobs. After an empty one, the pause is its duration times this factor. */
const emptyFetchBackoff = 20

/**
 * Skips families that hold their share of the slots of this process. The family of a fetched job is unknown until the job takes its slot,
 * so a pending fetch counts for every family. This avoids fetching jobs that must be requeued, which costs more than a step.
 */
export function makeFetchThrottle({ services, shutdown }: Pick<JobServices, 'services' | 'shutdown'>, slots: SharedSlots): FetchThrottle {
  const fullFamilyFlags = fullFamilies(services, slots)
  const { wake, sleep } = makeWakeableSleep()
  /** Fetches whose job has not taken a slot yet, oldest first. */
  const pending: { startedAt: number; skipped: string }[] = []
  let emptyFetch = { skipped: '', until: 0 }
  let order: Promise<unknown> = Promise.resolve()
  shutdown.addEventListener('abort', wake)

  /** Milliseconds until the next check; 0 when the next fetch may start. */
  function waitMs(skipped: string): number {
    const now = performance.now()
    while (pending[0] && pending[0].startedAt < now - fetchMsMax) pending.shift()
    if (shutdown.aborted) return 0
    if (skipped !== '' && skipped === emptyFetch.skipped && now < emptyFetch.until) return Math.min(waitMsMax, emptyFetch.until - now)
    const isFree = pending.length === 0 || (skipped === '' && fullFamilyFlags(pending.length).length === 0)
    return isFree ? 0 : waitMsMax
  }

  async function nextFetch(): Promise<string[] | null> {
    for (;;) {
      const flags = fullFamilyFlags(0)
      const skipped = flags.join()
      const ms = waitMs(skipped)
      if (ms === 0) {
        pending.push({ startedAt: performance.now(), skipped })
        return flags.length === 0 ? null : flags
      }
      await sleep(ms)
    }
  }

  return {
    before() {
      const flags = order.then(nextFetch)
      order = flags.catch(() => undefined)
      return flags
    },
    onEmptyFetch() {
      const fetched = pending.shift()
      const now = performance.now()
      if (fetched && fetched.skipped !== '') {
        emptyFetch = { skipped: fetched.skipped, until: now + emptyFetchBackoff * (now - fetched.startedAt) }
      }
      wake()
    },
    forJob: () =>
      slotsOfJob(slots, {
        onTaken() {
          pending.shift()
          wake()
        },
        onReleased: wake,
      }),
  }
}

/** The flags of the new and of the started work that would get no slot after `others` more jobs of the same family. */
function fullFamilies(services: JobServices['services'], slots: SharedSlots): (others: number) => string[] {
  return (others) =>
    [...services.catalog.families.values()].flatMap(({ id, variants }) => {
      const providerIds = [...new Set(variants.map((variant) => variant.provider.id))]
      const isFull = (isNew: boolean) => !providerIds.some((group) => slots.hasRoom({ group, member: id, isNew }, others))
      return [...(isFull(true) ? [newWorkFlag(id)] : []), ...(isFull(false) ? [startedWorkFlag(id)] : [])]
    })
}

/** `sleep` resolves after the given time, or at a `wake`. Only one caller may sleep at a time. */
function makeWakeableSleep(): { wake(): void; sleep(ms: number): Promise<void> } {
  let awaken = () => {}
  return {
    wake: () => awaken(),
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        awaken = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** `onTaken`: called once, when the job has taken its slot, or ends without one. */
function slotsOfJob(
  slots: SharedSlots,
  { onTaken, onReleased }: { onTaken(): void; onReleased(): void },
): ReturnType<FetchThrottle['forJob']> {
  let isPending = true
  const end = () => {
    if (isPending) onTaken()
    isPending = false
  }
  const take: SharedSlots['take'] = (holder) => {
    const release = slots.take(holder)
    end()
    if (!release) return undefined
    return () => {
      release()
      onReleased()
    }
  }
  return { slots: { ...slots, take }, end }
}
