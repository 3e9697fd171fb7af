import { z } from 'zod'
import { fetchOutput } from '../../src/providers/fetchOutput.ts'
import { checkFieldMap, fieldMap, fieldsOf } from '../../src/providers/fieldMap.ts'
import { findAt } from '../../src/providers/places.ts'
import type { JobHandle, Output, Provider } from '../../src/providers/provider.ts'
import { checkSettings, settingsReader } from '../../src/providers/settings.ts'
import { refusedSubmit } from '../../src/providers/statusVerdict.ts'
import type { Vendor, VendorOptions } from '../../src/providers/vendor.ts'
import { askVendor, type VendorAnswer } from '../../src/providers/vendorRequest.ts'
import { lanternFailure } from './lanternFailures.ts'

/** `provider.settings` of a variant: what the vendor calls the model, and where our names go in its request. */
const settings = z.strictObject({ model: z.string().min(1), ...fieldMap })
const read = settingsReader(settings)

/** What we have written into handles and outputs, and read again in another process. */
const idOf = z.object({ id: z.string() })
const address = z.string()

/** A vendor that is made up: the worked example of docs/providers.md. */
export const lantern: Vendor = {
  id: 'lantern',
  check(model) {
    const faults = checkSettings(settings, model.provider.settings)
    return faults.length > 0 ? faults : checkFieldMap(settings.parse(model.provider.settings), model)
  },
  make: makeLantern,
}

const pollAfterMs = 1000

function makeLantern({ url, key, outputs: rules }: VendorOptions): Provider {
  const headers = { authorization: `Bearer ${key}` }
  const vendor = askVendor({ url, headers })
  const pathOf = ({ data }: JobHandle) => `/jobs/${encodeURIComponent(idOf.parse(data).id)}`
  return {
    id: 'lantern',
    capabilities: { cancel: 'always', idempotentSubmit: true, reportsQueue: true },

    async submit(spec, { signal, clock, log }) {
      const { model, ...map } = read(spec.settings)
      const media = spec.inputs.map((input) => input.link())
      const json = { model, input: fieldsOf(map, spec, media) }
      const answer = await vendor.json({ method: 'POST', path: '/jobs', headers: { 'idempotency-key': spec.idempotencyKey }, json, signal })
      const refused = lanternFailure(answer, log) ?? refusedSubmit(answer, clock.now())
      if (refused) return 'kind' in refused ? refused : { kind: 'failed', failure: refused }
      const handle: JobHandle = { provider: 'lantern', v: 1, data: { id: textAt(answer, 'id') } }
      return { kind: 'job', handle, state: 'queued', pollAfterMs }
    },

    async poll(handle, _spec, { signal, log }) {
      const answer = await vendor.json({ method: 'GET', path: pathOf(handle), signal })
      const failure = lanternFailure(answer, log)
      if (failure) return { state: 'failed', failure }
      switch (textAt(answer, 'state')) {
        case 'waiting':
          return { state: 'queued', ...numberAt(answer, 'ahead', (ahead) => ({ position: ahead + 1 })), pollAfterMs }
        case 'done':
          return { state: 'succeeded', outputs: outputsOf(answer), ...numberAt(answer, 'costUsd', (usd) => ({ cost: { usd } })) }
        case 'stopped':
          return { state: 'cancelled' }
        default:
          return { state: 'running', ...numberAt(answer, 'share', (progress) => ({ progress })), pollAfterMs }
      }
    },

    collect: ({ data, mimeType }, _spec, { signal }) =>
      fetchOutput(rules, { url: address.parse(data), vendorUrl: url, headers, ...(mimeType === undefined ? {} : { mimeType }), signal }),

    async cancel(handle, { signal }) {
      const { status } = await vendor.json({ method: 'DELETE', path: pathOf(handle), signal })
      if (status >= 500) throw new Error(`cancel was answered with ${status}`)
      return status === 200 ? 'cancelled' : status === 409 ? 'too_late' : 'unknown'
    },

    async health({ signal }) {
      const { status } = await vendor.json({ method: 'GET', path: '/account', signal })
      if (status === 200) return { ok: true }
      return { ok: false, message: status === 401 ? 'rejects LANTERN_API_KEY' : `answers ${status}` }
    },
  }
}

function outputsOf({ body }: VendorAnswer): Output[] {
  return findAt(body, 'files.*').flatMap((file) => {
    const [[url], [mimeType]] = [findAt(file, 'url'), findAt(file, 'type')]
    return typeof url === 'string' ? [{ data: url, ...(typeof mimeType === 'string' ? { mimeType } : {}) }] : []
  })
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
