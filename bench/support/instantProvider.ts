import { Readable } from 'node:stream'
import type { Provider } from '../../src/providers/provider.ts'

/** A 1 × 1 PNG. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** A model that responds immediately, so that only the service is measured. */
export function instantProvider(): Provider {
  return {
    id: 'instant',
    capabilities: { cancel: 'never', idempotentSubmit: true },
    submit: async () => ({ kind: 'job', handle: { provider: 'instant', v: 1, data: null }, pollAfterMs: 0 }),
    poll: async () => ({ state: 'succeeded', outputs: [{ data: null }] }),
    collect: async () => ({ state: 'bytes', stream: Readable.from([png]), mimeType: 'image/png' }),
    cancel: async () => 'unsupported',
  }
}
