/** The places of one runner, given out so that no team holds all of them. */
export type TeamPlaces = {
  /**
   * Takes a place of `team`. Returns false when it has its share and half of all places are taken; the subscription then waits in the line
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
 * A team may always hold a quarter of `total`, and up to half of it while places are plenty. So two busy teams leave places for others, and a
 * team alone is not slowed much.
 */
export function makeTeamPlaces(total: number): TeamPlaces {
  const share = Math.max(1, Math.floor(total / 4))
  const plenty = Math.max(1, Math.floor(total / 2))
  /** The teams with places or a line. */
  const teams = new Map<string, { taken: number; line: Set<string> }>()
  let sum = 0
  return {
    take(team, subscriptionId) {
      const own = teams.get(team) ?? { taken: 0, line: new Set() }
      if (own.taken >= share && sum >= plenty) {
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

/** Doubles the pause of a subscription each time in a row that it gets no place, so that waiting ones cost few jobs. */
export function makePlacePauses(): { next(subscriptionId: string): number; served(subscriptionId: string): void } {
  const pauses = new Map<string, number>()
  return {
    next(subscriptionId) {
      const seconds = Math.min(pauseSecondsMax, (pauses.get(subscriptionId) ?? firstPauseSeconds / 2) * 2)
      if (pauses.size >= keptMax) pauses.clear()
      pauses.set(subscriptionId, seconds)
      return seconds
    },
    served: (subscriptionId) => void pauses.delete(subscriptionId),
  }
}
