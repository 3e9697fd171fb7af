import { useEffect, useEffectEvent, useState } from 'react'
import { recoverLink } from './recoverLink.ts'

const attemptsMax = 3

/** A path to request, which is undefined when there is none now. `attempt` changes with each request. */
export type RetriedLink = { path: string | undefined; attempt: number; onFailed(error: unknown): void }

/**
 * The path of a file for a picture. A refused picture is requested again by `recoverLink`, up to `attemptsMax` times in all. The path is
 * undefined during the wait and after the last attempt. `renewLink` reads a new link, which arrives as `path`, and returns its path.
 */
export function useRetriedLink(path: string | undefined, renewLink: (old: string) => Promise<string | undefined>): RetriedLink {
  const [attempt, setAttempt] = useState(1)
  const [failed, setFailed] = useState<{ path: string; error: unknown }>()
  const renew = useEffectEvent(async (old: string) => {
    const renewed = await renewLink(old)
    return renewed !== undefined && renewed !== old
  })
  useEffect(() => {
    if (!failed || attempt >= attemptsMax) return
    const unmount = new AbortController()
    recoverLink(failed.path, { error: failed.error, renewLink: () => renew(failed.path), signal: unmount.signal })
      .then((isRecovered) => {
        if (!isRecovered || unmount.signal.aborted) return
        setAttempt(attempt + 1)
        setFailed(undefined)
      })
      // The row was unmounted, or the server cannot be reached: the symbol stays.
      .catch(() => undefined)
    return () => unmount.abort()
  }, [failed, attempt])

  return {
    path: path === failed?.path ? undefined : path,
    attempt,
    onFailed: (error: unknown) => path !== undefined && setFailed({ path, error }),
  }
}
