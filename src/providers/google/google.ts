import type { Json } from '../../contract/json.ts'
import { fetchOutput } from '../fetchOutput.ts'
import { limitsVerdict } from '../limitsVerdict.ts'
import { findAt } from '../places.ts'
import type { JobHandle, JobSpec, Poll, Provider, ProviderContext, Submitted } from '../provider.ts'
import { settingsReader } from '../settings.ts'
import type { Vendor } from '../vendor.ts'
import { type AskVendor, askVendor } from '../vendorRequest.ts'
import { generateImage } from './generateImage.ts'
import { checkGoogle, googleSettings } from './googleSettings.ts'
import { inlineVerdict } from './inlineImages.ts'
import { cancelOmni, pollOmni, submitOmni } from './omni.ts'
import { pollVeo, submitVeo } from './veo.ts'

const id = 'google'
const read = settingsReader(googleSettings)

/** An image is answered when it is made, and the largest take minutes. */
const submitSeconds = 600

/** Images of Gemini, and videos of Omni and Veo. Contract: section 10. */
export const google: Vendor = {
  id,
  check: checkGoogle,
  make({ url, key = '', outputs }) {
    const headers = { 'x-goog-api-key': key }
    const ask = askVendor({ url, headers })
    return {
      id,
      capabilities: { cancel: 'always', idempotentSubmit: false },
      answerSeconds: { submit: submitSeconds },
      submit: (spec, context) => submit(ask, spec, context),
      poll: (handle, spec, context) => poll(ask, handle, spec, context),
      collect: ({ data, mimeType }, _spec, { signal }) => {
        const place = { url: fileAddress((data as { uri: string }).uri, url), vendorUrl: url, headers, signal }
        return fetchOutput(outputs, { ...place, ...(mimeType === undefined ? {} : { mimeType }) })
      },
      cancel: (handle, context) => cancel(ask, handle, context),
      health: ({ signal }) => health(ask, signal),
    } satisfies Provider
  },
}

async function submit(ask: AskVendor, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const beyond = limitsVerdict(spec) ?? inlineVerdict(spec)
  if (beyond) return { kind: 'failed', failure: beyond }
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

/** Names work by what it is at Google. */
type GoogleWork = { operation: string } | { interaction: string }

async function poll(ask: AskVendor, { data }: JobHandle, spec: JobSpec, context: ProviderContext): Promise<Poll> {
  const work = data as GoogleWork
  if ('operation' in work) return pollVeo(ask, work.operation, spec, context)
  return pollOmni(ask, work.interaction, spec, read(spec.settings), context)
}

/** Operations know no cancel. */
async function cancel(ask: AskVendor, { data }: JobHandle, { signal }: ProviderContext) {
  const work = data as GoogleWork
  return 'interaction' in work ? cancelOmni(ask, work.interaction, signal) : 'unsupported'
}

/** A file of Google's own is fetched where the vendor is asked, which may be a gateway: there it goes with the key. */
function fileAddress(uri: string, url: string): string {
  const named = /^https:\/\/generativelanguage\.googleapis\.com\/v1(?:beta|alpha)?\/(files\/[\w-]+:download)(?:\?alt=media)?$/.exec(uri)
  return named ? `${url}/${named[1]}?alt=media` : uri
}

async function health(ask: AskVendor, signal: AbortSignal): Promise<{ ok: boolean; message?: string }> {
  const { status, body } = await ask.json({ method: 'GET', path: '/models?pageSize=1', signal })
  if (status === 200) return { ok: true }
  return { ok: false, message: isOfKey(status, body) ? 'rejects GEMINI_API_KEY' : `answers with status ${status}` }
}

function isOfKey(status: number, body: Json | undefined): boolean {
  return status === 401 || status === 403 || findAt(body, 'error.details.*.reason').includes('API_KEY_INVALID')
}
