import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ProviderContext } from '../../../src/providers/provider.ts'

/** The runner's context for a provider; `kept` contains the staged bytes, `warnings` the log messages. */
export function aProviderContext({ now = new Date(), signal = new AbortController().signal }: { now?: Date; signal?: AbortSignal } = {}) {
  const kept: { bytes: Buffer; mimeType: string }[] = []
  const warnings: { fields: Record<string, unknown>; message: string }[] = []
  const context: ProviderContext = {
    signal,
    clock: { now: () => now },
    async keep(content, mimeType) {
      kept.push({ bytes: content instanceof Readable ? await buffer(content) : Buffer.from(content), mimeType })
      return { data: null, mimeType, kept: true }
    },
    log: { warn: (fields, message) => warnings.push({ fields, message }) },
  }
  return { context, kept, warnings }
}
