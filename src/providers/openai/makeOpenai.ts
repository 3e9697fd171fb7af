import { fetchOutput } from '../fetchOutput.ts'
import { limitsVerdict } from '../limitsVerdict.ts'
import type { JobSpec, Provider, ProviderContext, Submitted } from '../provider.ts'
import { settingsReader } from '../settings.ts'
import { refusedSubmit } from '../statusVerdict.ts'
import type { VendorOptions } from '../vendor.ts'
import { type AskVendor, askVendor } from '../vendorRequest.ts'
import { openaiFailure } from './openaiFailures.ts'
import { openaiRequest } from './openaiRequest.ts'
import { type OpenaiSettings, openaiSettings } from './openaiSettings.ts'
import { readOpenaiAnswer } from './readOpenaiAnswer.ts'

const readSettings = settingsReader<OpenaiSettings>(openaiSettings)

/** Pictures of the highest quality take minutes, and the answer comes when they are done. */
const answerSeconds = { submit: 600 }

export function makeOpenai({ url, key = '', outputs }: VendorOptions): Provider {
  const headers = { authorization: `Bearer ${key}` }
  const ask = askVendor({ url, headers })
  return {
    id: 'openai',
    capabilities: { cancel: 'never', idempotentSubmit: false },
    answerSeconds,
    submit: (spec, context) => submit(ask, spec, context),
    // Nothing is ever handed out that could be asked about.
    poll: async () => ({ state: 'failed', failure: { code: 'internal_error', reason: 'unclassified' } }),
    cancel: async () => 'unsupported',
    health: (context) => health(ask, context),
    collect: (output, _spec, { signal }) => {
      const { url: at } = output.data as { url: string }
      return fetchOutput(outputs, { url: at, vendorUrl: url, headers, signal, ...(output.mimeType ? { mimeType: output.mimeType } : {}) })
    },
  }
}

async function submit(ask: AskVendor, spec: JobSpec, context: ProviderContext): Promise<Submitted> {
  const beyond = limitsVerdict(spec)
  if (beyond) return { kind: 'failed', failure: beyond }
  const settings = readSettings(spec.settings)
  const answer = await ask.stream({ ...(await openaiRequest(spec, settings)), signal: context.signal })
  const read = await readOpenaiAnswer(answer, { spec, rates: settings.rates, context })
  if (read.kind === 'made') return { kind: 'done', outputs: read.outputs, ...(read.cost ? { cost: read.cost } : {}) }
  return (
    openaiFailure(read.error, { status: answer.status, spec, log: context.log }) ?? refusedSubmit(answer, context.clock.now()) ?? nothing
  )
}

/** Answered well, and with nothing that could be a result. */
const nothing: Submitted = { kind: 'failed', failure: { code: 'provider_error', reason: 'provider_failed' } }

/** Models are listed for free, for whom the key is right. A compatible server may know no list; then nobody can say. */
async function health(ask: AskVendor, { signal }: ProviderContext): Promise<{ ok: boolean; message?: string }> {
  const { status, body } = await ask.stream({ method: 'GET', path: '/models', signal })
  body.destroy()
  if (status === 401 || status === 403) return { ok: false, message: 'rejects OPENAI_API_KEY' }
  if (status >= 500 || status === 429) return { ok: false, message: `answers ${status}` }
  return status === 200 ? { ok: true } : { ok: true, message: `answers ${status} to a list of its models, so the key was not tried` }
}
