import { startTransition, useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { type Estimate, EstimateQuery, type Variant } from './catalogQueries.ts'
import { type FieldIssues, fieldIssues } from './fieldIssues.ts'
import type { GenerationBody } from './generationBody.ts'

export type EstimateState = {
  /** The price of the current request; absent after a change. */
  result: Estimate | undefined
  failure: Failure | undefined
  /** The refusal by field, until the request changes. */
  issues: FieldIssues
  isAsking: boolean
  /** Resolves with the price; `undefined` when it is refused. */
  ask(): Promise<Estimate | undefined>
}

type Answer = { of: string; result?: Estimate; failure?: Failure }

/** Requests the price of a request. The answer is dropped when the request changes. */
export function useEstimate({ teamId, body, variant }: { teamId: string; body: GenerationBody; variant: Variant }): EstimateState {
  const client = useClient()
  const [asking, setAsking] = useState<string>()
  const [answer, setAnswer] = useState<Answer>()
  const of = JSON.stringify(body)
  const current = answer?.of === of ? answer : undefined

  const ask = async () => {
    // Rendered in short tasks, because the form is large.
    startTransition(() => setAsking(of))
    const { data, error } = await client.query(EstimateQuery, { teamId, input: body }, { requestPolicy: 'network-only' }).toPromise()
    startTransition(() => {
      setAnswer({ of, ...(data ? { result: data.estimate } : {}), ...(error ? { failure: failureOf(error) } : {}) })
      setAsking((now) => (now === of ? undefined : now))
    })
    return data?.estimate
  }
  const failure = current?.failure
  return { result: current?.result, failure, issues: failure ? fieldIssues(failure, variant) : {}, isAsking: asking === of, ask }
}
