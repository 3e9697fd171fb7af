import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { JobHandle, Provider } from '../../../src/providers/provider.ts'

/** Speaks to the vendor of the tests. */
export function vendorProvider(url: string, options: { idempotentSubmit: boolean }): Provider {
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init)
    if (!response.ok) throw new Error(`vendor answered ${response.status}`)
    return response
  }
  const idOf = (handle: JobHandle) => (handle.data as { id: string }).id
  return {
    id: 'vendor',
    capabilities: { cancel: 'always', idempotentSubmit: options.idempotentSubmit },
    submit: async (spec, { signal }) => {
      const response = await ask('/jobs', { method: 'POST', headers: { 'idempotency-key': spec.idempotencyKey }, body: '{}', signal })
      const { id } = (await response.json()) as { id: string }
      return { kind: 'job', handle: { provider: 'vendor', v: 1, data: { id } }, pollAfterMs: 100 }
    },
    poll: async (handle, _spec, { signal }) => {
      const { done } = (await (await ask(`/jobs/${idOf(handle)}`, { signal })).json()) as { done: boolean }
      return done ? { state: 'succeeded', outputs: [{ data: { id: idOf(handle) } }] } : { state: 'running', pollAfterMs: 100 }
    },
    collect: async (output, _spec, { signal }) => {
      const response = await ask(`/jobs/${(output.data as { id: string }).id}/output`, { signal })
      return { state: 'bytes', stream: Readable.fromWeb(response.body as ReadableStream), mimeType: 'image/png' }
    },
    cancel: async (handle) => {
      await ask(`/jobs/${idOf(handle)}/cancel`, { method: 'POST' })
      return 'cancelled'
    },
  }
}
