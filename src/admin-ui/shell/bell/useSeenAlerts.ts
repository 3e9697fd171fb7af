import { useState } from 'react'

/** The last alert that the person has seen in this browser, by team. Alerts have growing numbers. */
export function useSeenAlerts({ userId, teamId }: { userId: string; teamId: string }) {
  const name = `atelier-seen-alert:${userId}:${teamId}`
  const [seen, setSeen] = useState(() => read(name))
  const markSeen = (id: string) => {
    if (BigInt(id) <= seen) return
    setSeen(BigInt(id))
    try {
      localStorage.setItem(name, id)
    } catch {
      // Storage is full or not available. The alert is seen until the next page load.
    }
  }
  return { isUnread: (id: string) => BigInt(id) > seen, markSeen }
}

function read(name: string): bigint {
  try {
    return BigInt(localStorage.getItem(name) ?? 0)
  } catch {
    // Storage is not available, or has something else under that name.
    return 0n
  }
}
