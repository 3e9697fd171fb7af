import { useState } from 'react'
import type { TeamAlert } from './alertWords.ts'

/** Alerts compare by their time, since a restored database gives out numbers again. Those of one moment compare by number. */
type Raised = { at: number; id: bigint }

/** The last alert that the person has seen in this browser, by team. */
export function useSeenAlerts({ userId, teamId }: { userId: string; teamId: string }) {
  const name = `atelier-seen-alert:${userId}:${teamId}`
  const [seen, setSeen] = useState(() => read(name))
  const markSeen = (alert: TeamAlert) => {
    const raised = raisedOf(alert)
    if (!isAfter(raised, seen)) return
    setSeen(raised)
    try {
      localStorage.setItem(name, `${raised.at} ${raised.id}`)
    } catch {
      // Storage is full or not available. The alert is seen until the next page load.
    }
  }
  return { isUnread: (alert: TeamAlert) => isAfter(raisedOf(alert), seen), markSeen }
}

function raisedOf({ raisedAt, id }: TeamAlert): Raised {
  return { at: Date.parse(raisedAt), id: BigInt(id) }
}

function isAfter(one: Raised, other: Raised): boolean {
  return one.at === other.at ? one.id > other.id : one.at > other.at
}

function read(name: string): Raised {
  const none = { at: 0, id: 0n }
  try {
    const [, at, id] = /^(\d+) (\d+)$/.exec(localStorage.getItem(name) ?? '') ?? []
    return at === undefined || id === undefined ? none : { at: Number(at), id: BigInt(id) }
  } catch {
    // Storage is not available.
    return none
  }
}
