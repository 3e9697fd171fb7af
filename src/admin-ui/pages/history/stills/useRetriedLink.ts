import { useEffect, useEffectEvent, useState } from 'react'
import { useClient } from 'urql'
import { useTeam } from '../../../api/viewer.ts'
import { GenerationQuery } from '../historyQuery.ts'
import { dropLink, resultPath } from '../resultLinks.ts'
import { recoverLink } from './recoverLink.ts'

const attemptsMax = 3

type Linked = { generationId: string; result: Parameters<typeof resultPath>[1] }

/**
 * The path of a result for a picture. A refused picture is requested again by `recoverLink`, up to `attemptsMax` times in all. The path is
 * undefined during the wait and after the last attempt. `attempt` changes with each request.
 */
export function useRetriedLink({ generationId, result }: Linked) {
  const { id: teamId } = useTeam()
  const client = useClient()
  const [attempt, setAttempt] = useState(1)
  const [failed, setFailed] = useState<{ path: string; error: unknown }>()
  const path = resultPath(generationId, result)

  const renewLink = async (old: string): Promise<boolean> => {
    dropLink(generationId, old)
    const { data } = await client.query(GenerationQuery, { teamId, id: generationId }, { requestPolicy: 'network-only' }).toPromise()
    const renewed = resultPath(generationId, data?.team?.generation?.result ?? null)
    return renewed !== undefined && renewed !== old
  }
  const renew = useEffectEvent(renewLink)
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
