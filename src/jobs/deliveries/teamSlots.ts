/** The concurrency slots of one runner, shared so that no team holds all of them. */
export type TeamSlots = {
  /**
   * Takes a slot of `team`. Returns false when it has its share and half of all slots are taken; the subscription then waits in the line
   * of the team.
   */
  take(team: string, subscriptionId: string): boolean
  /** Whether a subscription waits in the line of the team. */
  isWanted(team: string): boolean
  /** Takes the subscription that has waited longest out of the line, and returns it. */
  release(team: string): string | undefined
}

/** Subscriptions beyond it try again after their pause. */
const lineMax = 1000

/**
 * A team may always hold a quarter of `total`. It may hold more while fewer than half of all slots are taken. So two busy teams leave slots
 * for others, and one team alone still gets half of them.
 */
export function makeTeamSlots(total: number): TeamSlots {
  const share = Math.max(1, Math.floor(total / 4))
  const half = Math.max(1, Math.floor(total / 2))
  /** The teams with slots or a line. */
  const teams = new Map<string, { taken: number; line: Set<string> }>()
  let sum = 0
  return {
    take(team, subscriptionId) {
      const own = teams.get(team) ?? { taken: 0, line: new Set() }
      if (own.taken >= share && sum >= half) {
        if (own.line.size < lineMax) own.line.add(subscriptionId)
        return false
      }
      own.line.delete(subscriptionId)
      own.taken += 1
      teams.set(team, own)
      sum += 1
      return true
    },
    isWanted: (team) => (teams.get(team)?.line.size ?? 0) > 0,
    release(team) {
      const own = teams.get(team)
      if (!own || own.taken === 0) return undefined
      own.taken -= 1
      sum -= 1
      const [next] = own.line
      if (next !== undefined) own.line.delete(next)
      if (own.taken === 0 && own.line.size === 0) teams.delete(team)
      return next
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
