import { setTimeout as pause } from 'node:timers/promises'
import type { SharedSlots } from '../concurrency/sharedSlots.ts'
import { familyFlag } from '../domain/generations/queueStep.ts'
import type { JobServices } from './jobContext.ts'

/** How the free slots of a runner look for jobs, so that no more are taken than there is room for. */
export type Looks = {
  /** Before a look: the flags of the jobs that it passes over. Waits while room may go to those that look already. */
  before(): Promise<string[] | null>
  /** After a look that found nothing, or failed. */
  inVain(): void
  /** For the job that a look found: the slots for it to take from, and what says that it came to its end. */
  ofJob(): { slots: SharedSlots; over(): void }
}

/** A look ends sooner, and so does the question of a job for its slot; one of whose end nothing is heard keeps nobody for longer. */
const lookMsMax = 5_000
const waitMsMax = 1_000

/**
 * Passes over the families that hold their share of the slots of this process. Whose job a look finds is known when it asks for its slot
 * alone; until then it counts for every family. So a job is hardly ever taken that has to be handed back, which costs more than its step.
 */
export function looksForJobs({ services, shutdown }: Pick<JobServices, 'services' | 'shutdown'>, slots: SharedSlots): Looks {
  const families = [...services.catalog.families.values()].map(({ id, variants }) => ({
    id,
    providerIds: [...new Set(variants.map((variant) => variant.provider.id))],
  }))
  /** When those began of which it is open whether they take a slot, oldest first. */
  const open: number[] = []
  let decision = Promise.withResolvers<void>()

  function decided(): void {
    open.shift()
    decision.resolve()
    decision = Promise.withResolvers()
  }

  const fullBeside = (others: number) =>
    families.filter(({ id, providerIds }) => !providerIds.some((group) => slots.hasRoom({ group, member: id }, others)))

  function openLooks(): number {
    const since = performance.now() - lookMsMax
    while (open[0] !== undefined && open[0] < since) open.shift()
    return open.length
  }

  return {
    async before() {
      for (;;) {
        const full = fullBeside(0)
        const others = openLooks()
        if (others === 0 || shutdown.aborted || fullBeside(others).length === full.length) {
          open.push(performance.now())
          return full.length === 0 ? null : full.map(({ id }) => familyFlag(id))
        }
        await Promise.race([decision.promise, pause(waitMsMax, undefined, { ref: false })])
      }
    },
    inVain: decided,
    ofJob() {
      let isOpen = true
      const over = () => {
        if (isOpen) decided()
        isOpen = false
      }
      const take: SharedSlots['take'] = (holder) => {
        const release = slots.take(holder)
        over()
        return release
      }
      return { slots: { ...slots, take }, over }
    },
  }
}
