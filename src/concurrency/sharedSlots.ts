/**
 * The holder of a slot: a member (such as a family) of a group (such as a provider). `isNew`: the work has not started yet; new work
 * leaves some slots to started work.
 */
export type SlotHolder = { group: string; member: string; isNew?: boolean }

export type SharedSlots = {
  /** Takes a slot and returns its release function; undefined when the holder has used its share. */
  take(holder: SlotHolder): (() => void) | undefined
  /** True if the holder would get a slot, after `others` more slots of the same holder. */
  hasRoom(holder: SlotHolder, others?: number): boolean
}

/**
 * Shares `total` slots among holders that may all hang. A group may hold as many slots as are free, and a member as many as its group may
 * still take: a single member gets a quarter, a single group half, and each further one a share of the rest. So a hung holder never takes
 * all slots. New and started work have shares of their own, and new work never takes the last eighth: results are fetched at once, however
 * much new work waits for slow answers, and new work is submitted, however many polls its family has.
 */
export function makeSharedSlots(total: number): SharedSlots {
  const reserve = total > 1 ? Math.ceil(total / 8) : 0
  const held = { fresh: makeCounts(), begun: makeCounts() }
  const countsOf = ({ isNew }: SlotHolder) => (isNew ? held.fresh : held.begun)
  let free = total

  function hasRoom(holder: SlotHolder, others = 0): boolean {
    const { byGroup, byMember } = countsOf(holder)
    const usable = free - others - (holder.isNew ? reserve : 0)
    const left = (usable - others - (byGroup.get(holder.group) ?? 0)) / 2
    return usable > 0 && left > (byMember.get(nameOf(holder)) ?? 0) + others
  }

  function add(holder: SlotHolder, count: 1 | -1): void {
    free -= count
    const { byGroup, byMember } = countsOf(holder)
    change(byGroup, holder.group, count)
    change(byMember, nameOf(holder), count)
  }

  return {
    hasRoom,
    take(holder) {
      if (!hasRoom(holder)) return undefined
      add(holder, 1)
      let isHeld = true
      return () => {
        if (isHeld) add(holder, -1)
        isHeld = false
      }
    },
  }
}

type Counts = { byGroup: Map<string, number>; byMember: Map<string, number> }

function makeCounts(): Counts {
  return { byGroup: new Map(), byMember: new Map() }
}

function nameOf({ group, member }: SlotHolder): string {
  return JSON.stringify([group, member])
}

function change(counts: Map<string, number>, name: string, by: number): void {
  const count = (counts.get(name) ?? 0) + by
  if (count === 0) counts.delete(name)
  else counts.set(name, count)
}
