import { Readable } from 'node:stream'
import type { Provider, Submitted } from '../../../src/providers/provider.ts'
import { tinyPng } from './tinyPng.ts'

/** A submit that the vendor has accepted and not answered. */
export type HeldSubmit = { generationId: string; answer(): void }

/**
 * A vendor under the control of its test: every submit waits until it is answered by hand. `answers`: with the result (`done`), or with a
 * handle whose work is made by the first poll.
 */
export function heldProvider(answers: 'done' | 'job', id = 'vendor'): { provider: Provider; held: HeldSubmit[]; submitted: string[] } {
  const held: HeldSubmit[] = []
  const submitted: string[] = []
  const outputs = [{ data: {} }]
  const answerTo = (generationId: string): Submitted =>
    answers === 'done'
      ? { kind: 'done', outputs }
      : { kind: 'job', handle: { provider: id, v: 1, data: { generationId } }, state: 'running', pollAfterMs: 0 }
  const provider: Provider = {
    id,
    capabilities: { cancel: 'never', idempotentSubmit: false, reportsQueue: true },
    submit: ({ idempotencyKey }) => {
      const generationId = idempotencyKey.replace(/\.\d+$/, '')
      submitted.push(generationId)
      return new Promise((resolve) => held.push({ generationId, answer: () => resolve(answerTo(generationId)) }))
    },
    poll: async () => ({ state: 'succeeded', outputs }),
    collect: async () => ({ state: 'bytes', stream: Readable.from([tinyPng()]), mimeType: 'image/png' }),
    cancel: async () => 'too_late',
  }
  return { provider, held, submitted }
}
