import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ProviderContext } from '../../../src/providers/provider.ts'

/** A context as the runner gives it to a provider; `kept` holds the bytes that it was given to keep, `warnings` what it told the operator. */
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
