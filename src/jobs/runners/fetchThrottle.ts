import type { SharedSlots } from '../../concurrency/sharedSlots.ts'
import { familyFlag, newWorkFlag } from '../../domain/generations/steps/queueStep.ts'
import type { JobServices } from './jobContext.ts'

/** How the free slots of a runner look for jobs, so that no more are taken than there is room for. */
export type FetchThrottle = {
  /** Before a look: the flags of the jobs that it passes over. Waits, in the order of the calls, while the room may go to those that look already. */
  before(): Promise<string[] | null>
  /** After a look that found nothing, or failed. */
  onEmptyFetch(): void
  /** For the job that a look found: the slots for it to take from, and what says that it came to its end. */
  forJob(): { slots: SharedSlots; over(): void }
}

/** A look ends sooner, and so does the question of a job for its slot; one of whose end nothing is heard keeps nobody for longer. */
const fetchMsMax = 5_000
const waitMsMax = 1_000
/** A look past full families reads all of their jobs: one that found nothing is not repeated before so many times as long as it took. */
const emptyFetchBackoff = 20

/**
 * Passes over the families that hold their share of the slots of this process. Whose job a look finds is known when it asks for its slot
 * alone; until then it counts for every family. So a job is hardly ever taken that has to be handed back, which costs more than its step.
 */
export function makeFetchThrottle({ services, shutdown }: Pick<JobServices, 'services' | 'shutdown'>, slots: SharedSlots): FetchThrottle {
  const fullFamilyFlags = fullFamilies(services, slots)
  const { wake, sleep } = makeWakeableSleep()
  /** Those of which it is open whether they take a slot, oldest first. */
  const open: { begunAt: number; past: string }[] = []
  let emptyFetch = { past: '', until: 0 }
  let line: Promise<unknown> = Promise.resolve()
  shutdown.addEventListener('abort', wake)

  /** How long to wait before it is worth asking again, in milliseconds; 0 when the next look may go. */
  function waitMs(past: string): number {
    const now = performance.now()
    while (open[0] && open[0].begunAt < now - fetchMsMax) open.shift()
    if (shutdown.aborted) return 0
    if (past !== '' && past === emptyFetch.past && now < emptyFetch.until) return Math.min(waitMsMax, emptyFetch.until - now)
    const isFree = open.length === 0 || (past === '' && fullFamilyFlags(open.length).length === 0)
    return isFree ? 0 : waitMsMax
  }

  async function nextFetch(): Promise<string[] | null> {
    for (;;) {
      const flags = fullFamilyFlags(0)
      const past = flags.join()
      const ms = waitMs(past)
      if (ms === 0) {
        open.push({ begunAt: performance.now(), past })
        return flags.length === 0 ? null : flags
      }
      await sleep(ms)
    }
  }

  return {
    before() {
      const flags = line.then(nextFetch)
      line = flags.catch(() => undefined)
      return flags
    },
    onEmptyFetch() {
      const look = open.shift()
      const now = performance.now()
      if (look && look.past !== '') emptyFetch = { past: look.past, until: now + emptyFetchBackoff * (now - look.begunAt) }
      wake()
    },
    forJob: () =>
      slotsOfJob(slots, {
        onTaken() {
          open.shift()
          wake()
        },
        onReleased: wake,
      }),
  }
}

/** The flags of the families that would get no slot after `others` more of the same: for new work, or for any. */
function fullFamilies({ catalog }: JobServices['services'], slots: SharedSlots): (others: number) => string[] {
  const families = [...catalog.families.values()].map(({ id, variants }) => ({
    id,
    providerIds: [...new Set(variants.map((variant) => variant.provider.id))],
  }))
  return (others) =>
    families.flatMap(({ id, providerIds }) => {
      const isFull = (isNew: boolean) => !providerIds.some((group) => slots.hasRoom({ group, member: id, isNew }, others))
      if (!isFull(true)) return []
      return isFull(false) ? [newWorkFlag(id), familyFlag(id)] : [newWorkFlag(id)]
    })
}

/** `sleep` lasts so long, or until `wake`; for one sleeper at a time. */
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

/** `onTaken`: once, when the job has its slot, or goes without. */
function slotsOfJob(
  slots: SharedSlots,
  { onTaken, onReleased }: { onTaken(): void; onReleased(): void },
): ReturnType<FetchThrottle['forJob']> {
  let isOpen = true
  const over = () => {
    if (isOpen) onTaken()
    isOpen = false
  }
  const take: SharedSlots['take'] = (holder) => {
    const release = slots.take(holder)
    over()
    if (!release) return undefined
    return () => {
      release()
      onReleased()
    }
  }
  return { slots: { ...slots, take }, over }
}
