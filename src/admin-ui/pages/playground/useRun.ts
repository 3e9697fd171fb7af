import { useRef, useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import type { GenerationBody } from '../catalog/generationBody.ts'
import { RunMutation } from './playgroundQueries.ts'

/** A start without an answer, which the same key continues. */
type Unanswered = { of: string; key: string }

/**
 * Starts generations. Each click has an idempotency key of its own, except after a start without an answer: the next click on the same
 * request repeats it, so that nothing is paid twice.
 */
export function useRun(teamId: string, onStarted: (generationId: string) => void) {
  const client = useClient()
  const unanswered = useRef<Unanswered>(undefined)
  const [isStarting, setStarting] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  const run = async (body: GenerationBody, maxCredits: number) => {
    const input = { ...body, maxCredits }
    const of = JSON.stringify(input)
    const key = unanswered.current?.of === of ? unanswered.current.key : newKey()
    setStarting(true)
    setFailure(undefined)
    unanswered.current = { of, key }
    const { data, error } = await client.mutation(RunMutation, { teamId, input, idempotencyKey: key }).toPromise()
    setStarting(false)
    const failed = error && failureOf(error)
    setFailure(failed)
    if (!failed?.retryable) unanswered.current = undefined
    if (data) onStarted(data.startGeneration.generation.generationId)
  }
  return { run, isStarting, failure, clearFailure: () => setFailure(undefined) }
}

/** `crypto.randomUUID` exists only on secure origins. */
function newKey(): string {
  return `playground-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
