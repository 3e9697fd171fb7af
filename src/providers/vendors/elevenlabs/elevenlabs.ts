import { Readable } from 'node:stream'
import type { Json } from '../../../contract/json.ts'
import type { TrustedAnswer } from '../../../network/trustedRequest.ts'
import { checkInputLimits } from '../../connector/checkInputLimits.ts'
import { mapFields } from '../../connector/fieldMap.ts'
import { getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import { keyHealth } from '../../connector/keyHealth.ts'
import { settingsReader } from '../../connector/settings.ts'
import { submitRefusal } from '../../connector/statusFailure.ts'
import type { VendorOptions } from '../../connector/vendor.ts'
import { makeVendorClient, type VendorClient, type VendorRequest } from '../../connector/vendorClient.ts'
import { readBase64Json } from '../../outputs/readBase64Json.ts'
import type { Cost, Health, JobSpec, Provider, ProviderContext, Submitted } from '../../provider.ts'
import { elevenlabsFailure, isElevenlabsError } from './elevenlabsFailures.ts'
import { type ElevenlabsSettings, elevenlabsSettings, urlParameters } from './elevenlabsSettings.ts'

const readSettings = settingsReader<ElevenlabsSettings>(elevenlabsSettings)

/** Ten minutes of music take minutes to make. The answer comes at the end. */
const answerSeconds = { submit: 600 }

/** The provider that sends work to ElevenLabs. Contract: docs/contract.md#providers. */
export function makeElevenlabs({ url, key = '' }: VendorOptions): Provider {
  const ask = makeVendorClient({ url, headers: { 'xi-api-key': key } })
  return {
    id: 'elevenlabs',
    capabilities: { cancel: 'never', idempotentSubmit: false },
    closesOnCancel: () => true,
    answerSeconds,
    submit: (spec, context) => submit(ask, spec, context),
    // A submit never returns a handle, and the answer contains the bytes.
    poll: async () => ({ state: 'failed', failure: { code: 'internal_error', reason: 'unclassified' } }),
    collect: async () => ({ state: 'failed', failure: { code: 'provider_error', reason: 'result_expired' } }),
    cancel: async () => 'unsupported',
    health: (context) => health(ask, context),
  }
}

async function submit(ask: VendorClient, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const inputFailure = checkInputLimits(spec)
  if (inputFailure) return { kind: 'failed', failure: inputFailure }
  const settings = readSettings(spec.settings)
  const answer = await ask.stream({ ...requestOf(spec, settings), signal: context.signal })
  const type = (answer.headers['content-type']?.split(';')[0] ?? '').trim().toLowerCase()
  if (answer.status === 200 && type !== 'application/json') {
    const output = await context.keep(answer.body, type.startsWith('audio/') ? type : 'audio/mpeg')
    const cost = costOf(answer.headers, settings)
    return { kind: 'done', outputs: [output], ...(cost ? { cost } : {}) }
  }
  const detail = await detailOf(answer)
  const refusalContext = { now: context.clock.now(), isOwnError: isElevenlabsError(detail) }
  return (
    elevenlabsFailure(detail, { status: answer.status, spec, log: context.log }) ?? submitRefusal(answer, refusalContext) ?? emptyAnswer
  )
}

/** A successful answer without a result. */
const emptyAnswer: Submitted = { kind: 'failed', failure: { code: 'provider_error', reason: 'provider_failed' } }

function requestOf(spec: JobSpec, settings: ElevenlabsSettings): Pick<VendorRequest, 'method' | 'path' | 'headers' | 'json'> {
  const { [urlParameters.voice]: voice, [urlParameters.format]: format, ...fields } = mapFields(settings, spec, [])
  const path = `/v1/${settings.endpoint}${settings.endpoint === 'text-to-speech' ? `/${encodeURIComponent(wordOf(voice))}` : ''}`
  const query = format === undefined ? '' : `?${new URLSearchParams({ [urlParameters.format]: wordOf(format) })}`
  return { method: 'POST', path: path + query, headers: { accept: '*/*' }, json: { model_id: settings.model, ...fields } }
}

function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

/** The operator's cost in ElevenLabs credits. */
function costOf({ 'character-cost': counted }: Record<string, string>, { usdPerThousandCredits }: ElevenlabsSettings): Cost | undefined {
  const quantity = Number(counted)
  if (counted === undefined || counted.trim() === '' || !(quantity >= 0)) return undefined
  return { quantity, unit: 'credits', ...(usdPerThousandCredits === undefined ? {} : { usd: (quantity * usdPerThousandCredits) / 1000 }) }
}

async function detailOf({ body }: Pick<TrustedAnswer, 'body'>): Promise<Json | undefined> {
  const read = await readBase64Json(Readable.from(body), { names: [], take: async () => null })
  return getPath(read, 'detail')[0]
}

/** Lists the models, which is free. A valid key may lack the permission for this list only. */
async function health(ask: VendorClient, { signal }: ProviderContext): Promise<Health> {
  const answer = await ask.stream({ method: 'GET', path: '/v1/models', signal })
  const status = answer.status === 200 ? undefined : getTextAtPath(await detailOf(answer), 'status')
  answer.body.destroy()
  if (status === 'missing_permissions') return { ok: true, message: 'accepts ELEVENLABS_API_KEY, which may not list models' }
  return keyHealth(answer.status, { variable: 'ELEVENLABS_API_KEY' })
}
