/** Who takes a slot: a member, such as a family, of a group, such as a provider. */
export type SlotHolder = { group: string; member: string }

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
 */
export function makeSharedSlots(total: number): SharedSlots {
  const byGroup = new Map<string, number>()
  const byMember = new Map<string, number>()
  let free = total

  function hasRoom(holder: SlotHolder, others = 0): boolean {
    const inGroup = (byGroup.get(holder.group) ?? 0) + others
    const left = (free - others - inGroup) / 2
    return free > others && left > (byMember.get(nameOf(holder)) ?? 0) + others
  }

  function add(holder: SlotHolder, count: 1 | -1): void {
    free -= count
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

function nameOf({ group, member }: SlotHolder): string {
  return JSON.stringify([group, member])
}

function change(counts: Map<string, number>, name: string, by: number): void {
  const count = (counts.get(name) ?? 0) + by
  if (count === 0) counts.delete(name)
  else counts.set(name, count)
}
