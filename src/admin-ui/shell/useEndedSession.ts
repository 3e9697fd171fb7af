import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { onSessionEnd, retryRefused } from '../api/client.ts'

/** Whether the session has ended while the page is open, and how to go on after a new sign-in. */
export function useEndedSession() {
  const client = useClient()
  const [hasEnded, setEnded] = useState(false)
  useEffect(() => onSessionEnd(() => setEnded(true)), [])
  const resume = () => {
    setEnded(false)
    retryRefused(client)
  }
  return { hasEnded, resume }
}
