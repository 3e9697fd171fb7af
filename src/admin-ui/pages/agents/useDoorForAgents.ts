import { useEffect, useState } from 'react'

/** Whether agents are served at `/mcp`. Whatever it answers to a browser without a key, but for an unknown route it is there. */
export function useDoorForAgents(): 'unknown' | 'there' | 'missing' {
  const [door, setDoor] = useState<'unknown' | 'there' | 'missing'>('unknown')
  useEffect(() => {
    const leaving = new AbortController()
    fetch('/mcp', { signal: leaving.signal })
      .then(({ status }) => setDoor(status === 404 ? 'missing' : 'there'))
      .catch(() => undefined)
    return () => leaving.abort()
  }, [])
  return door
}
