/** The concurrency slots of one runner, shared so that no team holds all of them. */
export type TeamSlots = {
  /**
   * Takes a slot of `team`, or waits for one. Resolves false when the team has its share, and too many others wait or this wait was too
   * long; the subscription then waits in the line of the team.
   */
  take(team: string, subscriptionId: string): Promise<boolean>
  /** Whether another subscription needs the slot of the team. */
  isWanted(team: string): boolean
  /** Passes the slot to a waiting subscription. If none waits, removes the first subscription from the line of the team and returns it. */
  release(team: string): string | undefined
  /** Ends all waits. They resolve false. */
  close(): void
}

type TeamState = { taken: number; waiting: number; line: Set<string> }
type Waiter = { own: TeamState; end(): void }

/** Longer than a session of a busy subscription, so that its slot passes to the next one without a job. */
const defaultWaitMs = 2500
/** Subscriptions beyond it try again after their pause. */
const lineMax = 1000

/**
 * A team may always hold a quarter of `total`. It may hold more while fewer than half of all slots are taken. So two busy teams leave slots
 * for others, and one team alone still gets half of them. As many subscriptions as there are slots may wait, each in a job slot of its own.
 */
export function makeTeamSlots(total: number, { waitMs = defaultWaitMs }: { waitMs?: number } = {}): TeamSlots {
  const shares = makeTeamShares(total)
  const waiters = new Set<Waiter>()

  function wait(own: TeamState, subscriptionId: string): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter = { own, end }
      // Below its share, a team waits only until any slot is released.
      const timer = setTimeout(() => shares.hasShare(own) && end(), waitMs)
      waiters.add(waiter)
      own.waiting += 1
      function end(): void {
        clearTimeout(timer)
        waiters.delete(waiter)
        own.waiting -= 1
        resolve(shares.takeOrJoinLine(own, subscriptionId))
      }
    })
  }

  return {
    async take(team, subscriptionId) {
      const own = shares.stateOf(team)
      const cannotWait = shares.hasShare(own) && (waiters.size >= total || own.line.size > 0)
      return shares.canTake(own) || cannotWait ? shares.takeOrJoinLine(own, subscriptionId) : wait(own, subscriptionId)
    },
    isWanted(team) {
      const own = shares.stateOf(team)
      return shares.isFull() || own.waiting + own.line.size > 0
    },
    release(team) {
      const own = shares.stateOf(team)
      const next = own.waiting === 0 ? shares.takeFromLine(own) : undefined
      shares.free(own)
      for (const waiter of waiters) if (shares.canTake(waiter.own)) waiter.end()
      shares.removeUnused(team)
      return next
    },
    close() {
      for (const waiter of waiters) waiter.end()
    },
  }
}

function makeTeamShares(total: number) {
  const share = Math.max(1, Math.floor(total / 4))
  const half = Math.max(1, Math.floor(total / 2))
  /** The teams with slots, waits or a line. */
  const teams = new Map<string, TeamState>()
  let sum = 0
  const hasShare = (own: TeamState) => own.taken >= share
  const canTake = (own: TeamState) => sum < total && (!hasShare(own) || sum < half)
  return {
    hasShare,
    canTake,
    isFull: () => sum >= total,
    stateOf(team: string): TeamState {
      const own = teams.get(team) ?? { taken: 0, waiting: 0, line: new Set() }
      teams.set(team, own)
      return own
    },
    takeOrJoinLine(own: TeamState, subscriptionId: string): boolean {
      if (!canTake(own)) {
        if (own.line.size < lineMax) own.line.add(subscriptionId)
        return false
      }
      own.line.delete(subscriptionId)
      own.taken += 1
      sum += 1
      return true
    },
    takeFromLine({ line }: TeamState): string | undefined {
      const [next] = line
      if (next !== undefined) line.delete(next)
      return next
    },
    free(own: TeamState): void {
      own.taken -= 1
      sum -= 1
    },
    removeUnused(team: string): void {
      const own = teams.get(team)
      if (own && own.taken + own.waiting + own.line.size === 0) teams.delete(team)
    },
  }
}

const firstPauseSeconds = 1
const pauseSecondsMax = 32
const keptMax = 10_000

/** Exponential backoff of subscriptions that get no slot, so that they cost few jobs. `next` returns seconds; `reset` ends the backoff. */
export function makeSlotBackoff(): { next(subscriptionId: string): number; reset(subscriptionId: string): void } {
  const pauses = new Map<string, number>()
  return {
    next(subscriptionId) {
      const seconds = Math.min(pauseSecondsMax, (pauses.get(subscriptionId) ?? firstPauseSeconds / 2) * 2)
      if (pauses.size >= keptMax) pauses.clear()
      pauses.set(subscriptionId, seconds)
      return seconds
    },
    reset: (subscriptionId) => void pauses.delete(subscriptionId),
  }
}
