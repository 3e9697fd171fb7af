import type { OutputType } from '../../../contract/shapes/outputTypes.ts'
import { getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import type { VendorAnswer, VendorClient } from '../../connector/vendorClient.ts'
import { findOutputUrls, toOutputs } from '../../outputs/outputUrls.ts'
import type { Cost, Poll } from '../../provider.ts'
import { type FalError, falError } from './falFailures.ts'
import type { FalWork } from './falHandle.ts'
import type { FalSettings } from './falSettings.ts'

type Finished = { settings: FalSettings; outputType: OutputType; finished: VendorAnswer; signal: AbortSignal }

const pollIntervalMs = 2_000
const resultExpired: Poll = { state: 'failed', failure: { code: 'provider_error', reason: 'result_expired' } }

/**
 * Reads the result of finished work, which may be an error: status and body are those of the model. `finished`: the status answer, which
 * may contain the error too. Throws when a proxy answered instead.
 */
export async function readResult(ask: VendorClient, work: FalWork, options: Finished): Promise<Poll | { error: FalError }> {
  const { settings, outputType, finished, signal } = options
  const answer = await ask.json({ method: 'GET', path: work.response, signal, answerBytesMax: 16 * 1024 * 1024 })
  if (isInProgress(answer)) return { state: 'running', pollAfterMs: pollIntervalMs }
  if (answer.status >= 200 && answer.status <= 299 && answer.body !== undefined) return toSuccess(answer, settings, outputType)
  const error = falError(answer)
  if (error.known) return { error }
  const statusError = falError({ ...finished, status: answer.status })
  if (statusError.known) return { error: statusError }
  if (answer.status === 404 || answer.status === 410) return resultExpired
  // Not an answer of the model: the key, a proxy or a failing server.
  if ([401, 403, 408, 429].includes(answer.status) || answer.status >= 500 || answer.status <= 299) {
    throw new Error(`fal responded to a result request with ${answer.status}`)
  }
  return { error }
}

/** The result endpoint may learn of the end later than the status endpoint. */
function isInProgress({ status, body }: VendorAnswer): boolean {
  return status === 202 || (status === 400 && /in progress/i.test(getTextAtPath(body, 'detail') ?? ''))
}

function toSuccess(answer: VendorAnswer, settings: FalSettings, outputType: OutputType): Poll {
  const addresses = findOutputUrls(answer.body, settings.output)
  const withheld = settings.withheld === undefined ? [] : getPath(answer.body, settings.withheld)
  const shown = addresses.filter((_, index) => withheld[index] !== true)
  if (addresses.length > 0 && shown.length === 0) {
    return { state: 'failed', failure: { code: 'content_policy', reason: 'output_rejected' } }
  }
  const cost = costOf(answer, settings)
  return { state: 'succeeded', outputs: toOutputs(shown, outputType), ...(cost ? { cost } : {}) }
}

/** fal reports units. The price of a unit is only in its price list. */
function costOf({ headers }: VendorAnswer, { cost }: FalSettings): Cost | undefined {
  const units = headers['x-fal-billable-units']?.trim()
  const quantity = units ? Number(units) : Number.NaN
  if (!Number.isFinite(quantity) || quantity < 0) return undefined
  return {
    quantity,
    ...(cost?.unit === undefined ? {} : { unit: cost.unit }),
    ...(cost === undefined ? {} : { usd: quantity * cost.usdPerUnit }),
  }
}
