import { useRef, useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'

const Recover = graphql(`
  mutation RecoverFailed($input: RedeliverFailedInput!) {
    redeliverFailed(input: $input)
  }
`)

/** Deliveries per request, so that each request takes seconds and the user can stop in between. */
const atOnce = 5_000

type Progress = { count: number; state: 'asking' | 'running' | 'done'; failure: Failure | undefined }

/** Sends failed deliveries since a time again in batches, until none is left or the user stops it. */
export function useRecover(subscriptionId: string) {
  const client = useClient()
  const stopped = useRef(false)
  const [progress, setProgress] = useState<Progress>({ count: 0, state: 'asking', failure: undefined })

  const start = async (since: string) => {
    stopped.current = false
    for (let count = 0; ; ) {
      setProgress({ count, state: 'running', failure: undefined })
      const { data, error } = await client.mutation(Recover, { input: { subscriptionId, since, max: atOnce } }).toPromise()
      if (error) return setProgress({ count, state: 'asking', failure: failureOf(error) })
      const sent = data?.redeliverFailed ?? 0
      count += sent
      if (sent < atOnce || stopped.current) return setProgress({ count, state: 'done', failure: undefined })
    }
  }
  return {
    count: progress.count,
    isRunning: progress.state === 'running',
    isDone: progress.state === 'done',
    failure: progress.failure,
    start,
    stop: () => {
      stopped.current = true
    },
  }
}
