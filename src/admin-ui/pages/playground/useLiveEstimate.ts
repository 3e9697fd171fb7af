import { useEffect, useEffectEvent } from 'react'
import type { Variant } from '../catalog/catalogQueries.ts'
import type { GenerationBody } from '../catalog/generationBody.ts'
import { useEstimate } from '../catalog/useEstimate.ts'

const pauseMs = 350

/** The price of the request, asked again when typing pauses, and when `askAgain` changes. */
export function useLiveEstimate({
  isReady,
  askAgain,
  ...request
}: {
  teamId: string
  body: GenerationBody
  variant: Variant
  isReady: boolean
  askAgain: number
}) {
  const estimate = useEstimate(request)
  const of = JSON.stringify(request.body)
  const ask = useEffectEvent(() => void estimate.ask())
  useEffect(() => {
    if (!isReady) return undefined
    const timer = setTimeout(ask, pauseMs)
    return () => clearTimeout(timer)
  }, [of, isReady, askAgain])
  return estimate
}
