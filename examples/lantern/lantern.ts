import { z } from 'zod'
import { beforeSubmit } from '../../src/providers/beforeSubmit.ts'
import { dataUri } from '../../src/providers/dataUri.ts'
import { fetchOutput } from '../../src/providers/fetchOutput.ts'
import { fieldsOf } from '../../src/providers/fieldMap.ts'
import { keyHealth } from '../../src/providers/keyHealth.ts'
import { linkFromOutside } from '../../src/providers/linkFromOutside.ts'
import { addressesAt, outputsOf } from '../../src/providers/outputsAt.ts'
import { findAt } from '../../src/providers/places.ts'
import type { JobHandle, Provider } from '../../src/providers/provider.ts'
import { settingsReader } from '../../src/providers/settings.ts'
import { refusedSubmit } from '../../src/providers/statusVerdict.ts'
import type { VendorOptions } from '../../src/providers/vendor.ts'
import { askVendor, type VendorAnswer } from '../../src/providers/vendorRequest.ts'
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
  const vendor = askVendor({ url, headers })
  const pathOf = ({ data }: JobHandle) => `/jobs/${encodeURIComponent(ofHandle.parse(data).id)}`
  return {
    id: 'lantern',
    capabilities: { cancel: 'always', idempotentSubmit: true, reportsQueue: true },

    async submit(spec, { signal, clock, log }) {
      const { model, ...map } = read(spec.settings)
      const pictures = await beforeSubmit(() => Promise.all(spec.inputs.map(async (input) => linkFromOutside(input) ?? dataUri(input))))
      const json = { model, input: fieldsOf(map, spec, pictures) }
      const answer = await vendor.json({ method: 'POST', path: '/jobs', headers: { 'idempotency-key': spec.idempotencyKey }, json, signal })
      const failure = lanternFailure(answer, spec, log)
      if (failure) return { kind: 'failed', failure }
      const refused = refusedSubmit(answer, { now: clock.now(), isOwnError: isLanternError(answer) })
      if (refused) return refused
      return { kind: 'job', handle: { provider: 'lantern', v: 1, data: { id: textAt(answer, 'id') } }, state: 'queued', pollAfterMs }
    },

    async poll(handle, spec, { signal, log }) {
      const answer = await vendor.json({ method: 'GET', path: pathOf(handle), signal })
      const failure = lanternFailure(answer, spec, log)
      if (failure) return { state: 'failed', failure }
      switch (textAt(answer, 'state')) {
        case 'waiting':
          return { state: 'queued', ...numberAt(answer, 'ahead', (ahead) => ({ position: ahead + 1 })), pollAfterMs }
        case 'done': {
          const outputs = outputsOf(addressesAt(answer.body, 'files'), spec.outputType)
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
function textAt({ status, body }: VendorAnswer, at: string): string {
  const [value] = findAt(body, at)
  if (typeof value !== 'string') throw new Error(`an answer with ${status} says no ${at}`)
  return value
}

function numberAt<Told extends object>({ body }: VendorAnswer, at: string, tell: (value: number) => Told): Told | undefined {
  const [value] = findAt(body, at)
  return typeof value === 'number' ? tell(value) : undefined
}
