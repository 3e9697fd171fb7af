import { checkInputLimits } from '../../connector/checkInputLimits.ts'
import { getPath } from '../../connector/jsonPath.ts'
import { keyHealth } from '../../connector/keyHealth.ts'
import { settingsReader } from '../../connector/settings.ts'
import type { VendorOptions } from '../../connector/vendor.ts'
import { makeVendorClient, type VendorClient } from '../../connector/vendorClient.ts'
import { fetchOutput } from '../../outputs/fetchOutput.ts'
import type { Health, JobHandle, JobSpec, Poll, Provider, ProviderContext, Submitted } from '../../provider.ts'
import { generateImage } from './generateImage.ts'
import { googleSettings } from './googleSettings.ts'
import { checkInlineSize } from './inlineImages.ts'
import { cancelOmni, pollOmni, submitOmni } from './omni.ts'
import { pollVeo, submitVeo } from './veo.ts'

const read = settingsReader(googleSettings)

/** The answer contains the image. The largest images take minutes. */
const submitSeconds = 600

/** The provider that sends work to Google. Contract: docs/contract.md#providers. */
export function makeGoogle({ url, key = '', outputs }: VendorOptions): Provider {
  const headers = { 'x-goog-api-key': key }
  const ask = makeVendorClient({ url, headers })
  return {
    id: 'google',
    capabilities: { cancel: 'always', idempotentSubmit: false },
    closesOnCancel: ({ settings }) => read(settings).api === 'generateContent',
    answerSeconds: { submit: submitSeconds },
    submit: (spec, context) => submit(ask, spec, context),
    poll: (handle, spec, context) => poll(ask, handle, spec, context),
    collect: ({ data, mimeType }, _spec, { signal }) => {
      const { uri } = data as { uri: string }
      return fetchOutput(outputs, { url: fileAddress(uri, url), vendorUrl: url, headers, mimeType, signal })
    },
    cancel: (handle, context) => cancel(ask, handle, context),
    health: ({ signal }) => health(ask, signal),
  }
}

async function submit(ask: VendorClient, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const inputFailure = checkInputLimits(spec) ?? checkInlineSize(spec)
  if (inputFailure) return { kind: 'failed', failure: inputFailure }
  const settings = read(spec.settings)
  switch (settings.api) {
    case 'generateContent':
      return generateImage(ask, spec, settings, context)
    case 'predictLongRunning':
      return submitVeo(ask, spec, settings, context)
    case 'interactions':
      return submitOmni(ask, spec, settings, context)
  }
}

/** The identifier of the work at Google. */
type GoogleWork = { operation: string } | { interaction: string }

async function poll(ask: VendorClient, { data }: JobHandle, spec: JobSpec, context: ProviderContext): Promise<Poll> {
  const work = data as GoogleWork
  if ('operation' in work) return pollVeo(ask, work.operation, spec, context)
  return pollOmni(ask, work.interaction, spec, read(spec.settings), context)
}

/** Operations cannot be cancelled. */
async function cancel(ask: VendorClient, { data }: JobHandle, { signal }: ProviderContext) {
  const work = data as GoogleWork
  return 'interaction' in work ? cancelOmni(ask, work.interaction, signal) : 'unsupported'
}

/** A file at Google is downloaded from the base URL, which may be a gateway. The key is sent only there. */
function fileAddress(uri: string, url: string): string {
  const path = /^https:\/\/generativelanguage\.googleapis\.com\/v1(?:beta|alpha)?\/(files\/[\w-]+:download)(?:\?alt=media)?$/.exec(uri)
  return path ? `${url}/${path[1]}?alt=media` : uri
}

async function health(ask: VendorClient, signal: AbortSignal): Promise<Health> {
  const { status, body } = await ask.json({ method: 'GET', path: '/models?pageSize=1', signal })
  // Google answers 400 to an invalid key.
  const isInvalidKey = getPath(body, 'error.details.*.reason').includes('API_KEY_INVALID')
  return keyHealth(isInvalidKey ? 401 : status, { variable: 'GEMINI_API_KEY' })
}
