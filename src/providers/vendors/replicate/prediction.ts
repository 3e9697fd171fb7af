import type { Json } from '../../../contract/json.ts'
import { getNumberAtPath, getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import { collectUrls, findOutputUrls, toOutputs } from '../../outputs/outputUrls.ts'
import type { Cost, JobSpec, Poll } from '../../provider.ts'
import { predictionFailure } from './replicateFailures.ts'
import type { ReplicateSettings } from './replicateSettings.ts'

/** The used fields of a prediction. `progress`: 0 to 1, when the model prints it. */
export type Prediction = {
  id: string
  status: string
  output: Json
  error: string
  progress: number | undefined
  predictSeconds: number | undefined
  isRemoved: boolean
}

/** `undefined` when the answer is not a prediction. */
export function predictionOf(body: Json | undefined): Prediction | undefined {
  const id = getTextAtPath(body, 'id')
  const status = getTextAtPath(body, 'status')
  if (id === undefined || id === '' || id.length > 200 || status === undefined) return undefined
  const [output = null] = getPath(body, 'output')
  return {
    id,
    status,
    output,
    error: getTextAtPath(body, 'error') ?? '',
    progress: progressIn(getTextAtPath(body, 'logs') ?? ''),
    predictSeconds: getNumberAtPath(body, 'metrics.predict_time'),
    isRemoved: getPath(body, 'data_removed')[0] === true,
  }
}

/** Models print progress bars such as ` 45%|████▌     | 9/20`. The last one counts. */
function progressIn(logs: string): number | undefined {
  const bars = [...logs.slice(-4_000).matchAll(/(\d{1,3})%\|/g)]
  const percent = Number(bars.at(-1)?.[1])
  return percent >= 0 && percent <= 100 ? percent / 100 : undefined
}

const ends: ReadonlySet<string> = new Set(['succeeded', 'failed', 'canceled', 'aborted'])

export function hasEnded(status: string): boolean {
  return ends.has(status)
}

/** The poll result of an ended prediction; `undefined` in every other state. */
export function pollResultOf(
  prediction: Prediction,
  { spec, settings }: { spec: JobSpec; settings: ReplicateSettings },
): Exclude<Poll, { state: 'queued' | 'running' }> | undefined {
  switch (prediction.status) {
    case 'succeeded':
      return toSuccess(prediction, spec, settings)
    case 'failed':
      return { state: 'failed', failure: predictionFailure(prediction.error, { spec, map: settings }) }
    case 'canceled':
      return { state: 'cancelled' }
    case 'aborted':
      // Its time ran out before there was capacity.
      return { state: 'failed', failure: { code: 'model_unavailable', reason: 'model_at_capacity' } }
    default:
      return undefined
  }
}

function toSuccess({ output, predictSeconds, isRemoved }: Prediction, spec: JobSpec, settings: ReplicateSettings) {
  if (isRemoved) return { state: 'failed' as const, failure: { code: 'provider_error' as const, reason: 'result_expired' as const } }
  const addresses = settings.output === undefined ? collectUrls(output) : findOutputUrls(output, settings.output)
  const cost: Cost | undefined =
    predictSeconds === undefined
      ? undefined
      : {
          quantity: predictSeconds,
          unit: 'second',
          ...(settings.usdPerSecond === undefined ? {} : { usd: predictSeconds * settings.usdPerSecond }),
        }
  return { state: 'succeeded' as const, outputs: toOutputs(addresses, spec.outputType), ...(cost ? { cost } : {}) }
}
