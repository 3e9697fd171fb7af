/** The places of one runner, given out so that no team holds all of them. */
export type TeamPlaces = {
  /** Takes a place of `team`. Returns false when it has its share and half of all places are taken. */
  take(team: string): boolean
  release(team: string): void
}

/**
 * A team may always hold a quarter of `total`, and up to half of it while places are plenty. So two busy teams leave places for others, and a
 * team alone is not slowed much.
 */
export function makeTeamPlaces(total: number): TeamPlaces {
  const share = Math.max(1, Math.floor(total / 4))
  const plenty = Math.max(1, Math.floor(total / 2))
  const taken = new Map<string, number>()
  let sum = 0
  return {
    take(team) {
      const own = taken.get(team) ?? 0
      if (own >= share && sum >= plenty) return false
      taken.set(team, own + 1)
      sum += 1
      return true
    },
    release(team) {
      const own = taken.get(team) ?? 0
      if (own === 0) return
      if (own === 1) taken.delete(team)
      else taken.set(team, own - 1)
      sum -= 1
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
