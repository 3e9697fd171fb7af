import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { JobHandle, Provider } from '../../../src/providers/provider.ts'

/** `result`: the work itself, as base64. */
type Taken = { id: string; begun: boolean; result?: string; mimeType?: string }
type Seen = { done: boolean; begun: boolean; position: number; progress: number }

/** The provider of the test vendor. `deaf`: ignores its abort signal. */
export function vendorProvider(
  url: string,
  options: {
    id?: string
    idempotentSubmit: boolean
    reportsQueue?: boolean
    ignoresAbort?: boolean
    simulated?: true
    answerSeconds?: Provider['answerSeconds']
    /** The pause that it asks for. */
    pollAfterMs?: number
  },
): Provider {
  const {
    id: providerId = 'vendor',
    idempotentSubmit,
    reportsQueue = false,
    ignoresAbort = false,
    simulated,
    answerSeconds = {},
    pollAfterMs = 100,
  } = options
  const ask = async (path: string, { signal, ...init }: { method?: string; headers?: Record<string, string>; signal: AbortSignal }) => {
    return fetch(url + path, { ...init, ...(ignoresAbort ? {} : { signal }) })
  }
  const answered = async (response: Response) => {
    if (!response.ok) throw new Error(`vendor answered ${response.status}`)
    return response
  }
  const idOf = (handle: JobHandle) => (handle.data as { id: string }).id
  return {
    id: providerId,
    ...(simulated ? { simulated } : {}),
    capabilities: { cancel: 'always', idempotentSubmit, reportsQueue },
    answerSeconds,
    submit: async (spec, { signal, keep }) => {
      const response = await ask('/jobs', { method: 'POST', headers: { 'idempotency-key': spec.idempotencyKey }, signal })
      if (response.status === 503) return { kind: 'busy' }
      const { id, begun, result, mimeType = '' } = (await (await answered(response)).json()) as Taken
      if (result !== undefined) return { kind: 'done', outputs: [await keep(Buffer.from(result, 'base64'), mimeType)] }
      const state = reportsQueue ? ({ state: begun ? 'running' : 'queued' } as const) : {}
      return { kind: 'job', handle: { provider: providerId, v: 1, data: { id } }, ...state, pollAfterMs }
    },
    poll: async (handle, _spec, { signal }) => {
      const { done, begun, position, progress } = (await (await answered(await ask(`/jobs/${idOf(handle)}`, { signal }))).json()) as Seen
      if (done) return { state: 'succeeded', outputs: [{ data: { id: idOf(handle) } }] }
      if (reportsQueue && !begun) return { state: 'queued', position, pollAfterMs }
      return { state: 'running', ...(reportsQueue ? { progress } : {}), pollAfterMs }
    },
    collect: async (output, _spec, { signal }) => {
      const response = await answered(await ask(`/jobs/${(output.data as { id: string }).id}/output`, { signal }))
      return { state: 'bytes', stream: Readable.fromWeb(response.body as ReadableStream), mimeType: 'image/png' }
    },
    cancel: async (handle, { signal }) => {
      await answered(await ask(`/jobs/${idOf(handle)}/cancel`, { method: 'POST', signal }))
      return 'cancelled'
    },
  }
}
