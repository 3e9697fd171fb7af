import { z } from 'zod'
import { beforeSubmit } from '../../src/providers/connector/beforeSubmit.ts'
import { dataUri } from '../../src/providers/connector/dataUri.ts'
import { mapFields } from '../../src/providers/connector/fieldMap.ts'
import { getPath } from '../../src/providers/connector/jsonPath.ts'
import { keyHealth } from '../../src/providers/connector/keyHealth.ts'
import { publicInputLink } from '../../src/providers/connector/publicInputLink.ts'
import { settingsReader } from '../../src/providers/connector/settings.ts'
import { submitRefusal } from '../../src/providers/connector/statusFailure.ts'
import type { VendorOptions } from '../../src/providers/connector/vendor.ts'
import { makeVendorClient, type VendorAnswer } from '../../src/providers/connector/vendorClient.ts'
import { fetchOutput } from '../../src/providers/outputs/fetchOutput.ts'
import { findOutputUrls, toOutputs } from '../../src/providers/outputs/outputUrls.ts'
import type { JobHandle, Provider } from '../../src/providers/provider.ts'
import { isLanternError, lanternFailure } from './lanternFailures.ts'
import { settings } from './lanternSettings.ts'

const read = settingsReader(settings)

/** What we have written into handles and outputs, and read again in another process. */
const ofHandle = z.object({ id: z.string() })
const ofOutput = z.object({ url: z.string() })

const pollAfterMs = 1000

/** The provider that sends work to Lantern. */
export function makeLantern({ url, key, outputs: rules }: VendorOptions): Provider {
  const headers = { authorization: `Bearer ${key}` }
  const vendor = makeVendorClient({ url, headers })
  const pathOf = ({ data }: JobHandle) => `/jobs/${encodeURIComponent(ofHandle.parse(data).id)}`
  return {
    id: 'lantern',
    capabilities: { cancel: 'always', idempotentSubmit: true, reportsQueue: true },

    async submit(spec, { signal, clock, log }) {
      const { model, ...map } = read(spec.settings)
      const pictures = await beforeSubmit(() => Promise.all(spec.inputs.map(async (input) => publicInputLink(input) ?? dataUri(input))))
      const json = { model, input: mapFields(map, spec, pictures) }
      const answer = await vendor.json({ method: 'POST', path: '/jobs', headers: { 'idempotency-key': spec.idempotencyKey }, json, signal })
      const failure = lanternFailure(answer, spec, log)
      if (failure) return { kind: 'failed', failure }
      const refused = submitRefusal(answer, { now: clock.now(), isOwnError: isLanternError(answer) })
      if (refused) return refused
      return { kind: 'job', handle: { provider: 'lantern', v: 1, data: { id: getTextAtPath(answer, 'id') } }, state: 'queued', pollAfterMs }
    },

    async poll(handle, spec, { signal, log }) {
      const answer = await vendor.json({ method: 'GET', path: pathOf(handle), signal })
      const failure = lanternFailure(answer, spec, log)
      if (failure) return { state: 'failed', failure }
      switch (getTextAtPath(answer, 'state')) {
        case 'waiting':
          return { state: 'queued', ...numberAt(answer, 'ahead', (ahead) => ({ position: ahead + 1 })), pollAfterMs }
        case 'done': {
          const outputs = toOutputs(findOutputUrls(answer.body, 'files'), spec.outputType)
          return { state: 'succeeded', outputs, ...numberAt(answer, 'cost_usd', (usd) => ({ cost: { usd } })) }
        }
        case 'stopped':
          return { state: 'cancelled' }
        default:
          return { state: 'running', ...numberAt(answer, 'share', (progress) => ({ progress })), pollAfterMs }
      }
    },

    collect({ data, mimeType }, _spec, { signal }) {
      return fetchOutput(rules, { url: ofOutput.parse(data).url, vendorUrl: url, headers, mimeType, signal })
    },

    async cancel(handle, { signal }) {
      const { status } = await vendor.json({ method: 'DELETE', path: pathOf(handle), signal })
      if (status >= 500) throw new Error(`a cancel was answered with ${status}`)
      return status === 200 ? 'cancelled' : status === 409 ? 'too_late' : 'unknown'
    },

    async health({ signal }) {
      const { status } = await vendor.json({ method: 'GET', path: '/account', signal })
      return keyHealth(status, { variable: 'LANTERN_API_KEY' })
    },
  }
}

/** Throws where there is none: that is no answer, and the question is put again. */
function getTextAtPath({ status, body }: VendorAnswer, at: string): string {
  const [value] = getPath(body, at)
  if (typeof value !== 'string') throw new Error(`an answer with ${status} says no ${at}`)
  return value
}

function numberAt<Told extends object>({ body }: VendorAnswer, at: string, tell: (value: number) => Told): Told | undefined {
  const [value] = getPath(body, at)
  return typeof value === 'number' ? tell(value) : undefined
}
