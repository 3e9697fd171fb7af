import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Failure } from '../../src/contract/failures.ts'
import { contextFor, type Services } from '../../src/domain/context.ts'
import { claimGeneration, recordOutputs } from '../../src/domain/generations/claimGeneration.ts'
import { endGeneration } from '../../src/domain/generations/endGeneration.ts'

const providerId = 'sandbox'
const deadlineSeconds = 300

/** Moves generations as the jobs do, at the very moment that a test wants. Each expects the state before it. */
export function generationMoves(services: Services) {
  const context = contextFor(services, { kind: 'system' })
  const claim = async (id: string, from: 'queued' | 'running') => {
    const claimed = await claimGeneration(context, id, { from: [from], providerId, deadlineSeconds })
    if (!claimed) throw new Error(`the generation is not ${from}`)
    return claimed
  }
  return {
    /** queued → running */
    begin: async (id: string) => void (await claim(id, 'queued')),
    /** running → finalizing */
    gather: async (id: string) => void (await recordOutputs(context, await claim(id, 'running'), [{ data: {} }])),
    /** finalizing → ready, with these bytes as its result. */
    async finish(id: string, content: Buffer, mimeType = 'image/png') {
      const { key, sizeBytes, sha256 } = await services.storage.put(`results/${id}/${randomUUID()}`, Readable.from([content]))
      const result = { storageKey: key, mimeType, sizeBytes, sha256, width: 2, height: 2, durationSeconds: null }
      await endGeneration(context, id, { from: ['finalizing'], to: 'ready', result })
    },
    /** Any open state → failed */
    async fail(id: string, failure: Failure = { code: 'timeout', reason: 'model_timeout' }) {
      await endGeneration(context, id, { from: ['queued', 'running', 'finalizing'], to: 'failed', failure })
    },
  }
}
