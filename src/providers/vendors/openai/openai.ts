import { checkInputLimits } from '../../connector/checkInputLimits.ts'
import { keyHealth } from '../../connector/keyHealth.ts'
import { settingsReader } from '../../connector/settings.ts'
import { submitRefusal } from '../../connector/statusFailure.ts'
import type { VendorOptions } from '../../connector/vendor.ts'
import { makeVendorClient, type VendorClient } from '../../connector/vendorClient.ts'
import { fetchOutput } from '../../outputs/fetchOutput.ts'
import type { OutputUrl } from '../../outputs/outputUrls.ts'
import type { Health, JobSpec, Provider, ProviderContext, Submitted } from '../../provider.ts'
import { isOpenaiError, openaiFailure } from './openaiFailures.ts'
import { openaiRequest } from './openaiRequest.ts'
import { type OpenaiSettings, openaiSettings } from './openaiSettings.ts'
import { readOpenaiAnswer } from './readOpenaiAnswer.ts'

const readSettings = settingsReader<OpenaiSettings>(openaiSettings)

/** Images of the highest quality take minutes to make. The answer comes at the end. */
const answerSeconds = { submit: 600 }

/** The provider that sends work to OpenAI. Contract: docs/contract.md#providers. */
export function makeOpenai({ url, key = '', outputs }: VendorOptions): Provider {
  const headers = { authorization: `Bearer ${key}` }
  const ask = makeVendorClient({ url, headers })
  return {
    id: 'openai',
    capabilities: { cancel: 'never', idempotentSubmit: false },
    closesOnCancel: () => true,
    answerSeconds,
    submit: (spec, context) => submit(ask, spec, context),
    // A submit never returns a handle.
    poll: async () => ({ state: 'failed', failure: { code: 'internal_error', reason: 'unclassified' } }),
    cancel: async () => 'unsupported',
    health: (context) => health(ask, context),
    collect: ({ data, mimeType }, _spec, { signal }) => {
      const { url: at } = data as OutputUrl
      return fetchOutput(outputs, { url: at, vendorUrl: url, headers, mimeType, signal })
    },
  }
}

async function submit(ask: VendorClient, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const inputFailure = checkInputLimits(spec)
  if (inputFailure) return { kind: 'failed', failure: inputFailure }
  const settings = readSettings(spec.settings)
  const answer = await ask.stream({ ...(await openaiRequest(spec, settings)), signal: context.signal })
  const read = await readOpenaiAnswer(answer, { spec, rates: settings.rates, context })
  if (read.kind === 'made') return { kind: 'done', outputs: read.outputs, ...(read.cost ? { cost: read.cost } : {}) }
  const refusalContext = { now: context.clock.now(), isOwnError: isOpenaiError(read.error) }
  return (
    openaiFailure(read.error, { status: answer.status, spec, log: context.log }) ?? submitRefusal(answer, refusalContext) ?? emptyAnswer
  )
}

/** A successful answer without a result. */
const emptyAnswer: Submitted = { kind: 'failed', failure: { code: 'provider_error', reason: 'provider_failed' } }

/** Lists the models, which is free. A compatible server may have no list; then the key cannot be checked. */
async function health(ask: VendorClient, { signal }: ProviderContext): Promise<Health> {
  const { status, body } = await ask.stream({ method: 'GET', path: '/models', signal })
  body.destroy()
  const cannotTell = status < 500 && ![200, 401, 403, 429].includes(status)
  if (cannotTell) return { ok: true, message: `responds with ${status} to the list of models, so the key was not tried` }
  return keyHealth(status, { variable: 'OPENAI_API_KEY' })
}
