/**
 * Who takes a slot: a member, such as a family, of a group, such as a provider. `isNew`: for work that has not begun, which leaves some
 * slots to work that has.
 */
export type SlotHolder = { group: string; member: string; isNew?: boolean }

export type SharedSlots = {
  /** Takes a slot and gives what gives it back; `undefined` when the holder has its share. */
  take(holder: SlotHolder): (() => void) | undefined
  /** Whether it would get one; `others`: after so many more of the same. */
  hasRoom(holder: SlotHolder, others?: number): boolean
}

/**
 * Shares `total` slots among holders that may all hang. A group may hold as many as are free, and a member as many as its group may still
 * take. So a single member gets a quarter, a single group half, and each one more gets a share of what the others have left: whatever
 * hangs, there is room for somebody else. Shares grow again as slots come back.
 * New work never takes the last eighth, and work that has begun shares what is free regardless of the slots of new work: however much new
 * work waits for slow answers, a result is fetched at once.
 */
export function makeSharedSlots(total: number): SharedSlots {
  const reserve = total > 1 ? Math.ceil(total / 8) : 0
  const held = { all: makeCounts(), begun: makeCounts() }
  let free = total

  function hasRoom(holder: SlotHolder, others = 0): boolean {
    const { byGroup, byMember } = holder.isNew ? held.all : held.begun
    const usable = free - others - (holder.isNew ? reserve : 0)
    const left = (usable - others - (byGroup.get(holder.group) ?? 0)) / 2
    return usable > 0 && left > (byMember.get(nameOf(holder)) ?? 0) + others
  }

  function add(holder: SlotHolder, count: 1 | -1): void {
    free -= count
    for (const { byGroup, byMember } of holder.isNew ? [held.all] : [held.all, held.begun]) {
      change(byGroup, holder.group, count)
      change(byMember, nameOf(holder), count)
    }
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
