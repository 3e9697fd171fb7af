import { setTimeout as pause } from 'node:timers/promises'
import { hasCode } from '../../../clients/typescript/src/errors/hasCode.ts'
import type { Balancer } from '../chaos/balancer.ts'
import { clientOf, pictureOf } from '../chaos/load.ts'
import { blackPng } from '../media/blackPng.ts'
import type { SteadyLoad } from './steadyLoad.ts'

/** Counts of the other requests. */
export type MixedCounts = { reads: number; waits: number; streams: number; cancels: number; uploads: number; callbacks: number }

export type MixedLoad = {
  counts: MixedCounts
  /** The generations that were started with a callback. */
  called: string[]
  /** Resolves once all requests have ended; throws errors that remain after retries. */
  end(): Promise<void>
}

const pauses = { reads: 150, waits: 500, streams: 400, cancels: 700, uploads: 900, callbacks: 800 }

/** `callbackUrl`: the address for callbacks, `undefined` while the answering release may have none. Without it, no start has a callback. */
type MixedOptions = { key: string; name: string; load: SteadyLoad; callbackUrl?(): Promise<string | undefined> }

/**
 * Repeatedly reads, waits, follows, cancels, uploads and starts with a callback for a team, with the TypeScript client, during the starts of
 * `load`.
 */
export function startMixedLoad(balancer: Balancer, { key, name, load, callbackUrl }: MixedOptions): MixedLoad {
  const client = clientOf(balancer, key)
  const ending = new AbortController()
  const counts: MixedCounts = { reads: 0, waits: 0, streams: 0, cancels: 0, uploads: 0, callbacks: 0 }
  const called: string[] = []

  const acts: Record<keyof MixedCounts, () => Promise<boolean>> = {
    async reads() {
      await client.listGenerations({ limit: 20 })
      const id = load.newest()
      if (id) await client.getGeneration(id)
      return true
    },
    async waits() {
      const id = load.newest()
      if (id) await client.getGeneration(id, { wait: 3 })
      return id !== undefined
    },
    async streams() {
      const id = load.newest()
      if (id) for await (const generation of client.events(id)) if (generation.finishedAt) break
      return id !== undefined
    },
    async cancels() {
      const reference = `${name}-cancelled-${counts.cancels}`
      // A generation that ends before its cancel has the image of its reference.
      const seed = pictureOf(reference)
      const parameters = { width: 96, height: 96, seed, runSeconds: 3 }
      const request = { familyId: 'sandbox-image', prompt: `picture ${seed}`, parameters, reference }
      const { generationId } = await client.start(request, { idempotencyKey: reference, timeoutSeconds: 120 })
      load.acknowledged.set(reference, { key: reference, generationId, at: performance.now() })
      await client.cancel(generationId)
      return true
    },
    async callbacks() {
      const url = await callbackUrl?.()
      const reference = `${name}-called-${counts.callbacks}`
      const seed = pictureOf(reference)
      const request = { familyId: 'sandbox-image', prompt: `picture ${seed}`, parameters: { width: 96, height: 96, seed }, reference }
      if (url === undefined) return false
      const started = await client
        .start({ ...request, webhook: { url } }, { idempotencyKey: reference, timeoutSeconds: 120 })
        .catch((error: unknown) => {
          // A process of a release without callbacks does not know the field.
          if (hasCode(error, 'invalid_request')) return undefined
          throw error
        })
      if (!started) return false
      load.acknowledged.set(reference, { key: reference, generationId: started.generationId, at: performance.now() })
      called.push(started.generationId)
      return true
    },
    async uploads() {
      const { fileId } = await client.uploadFile({ content: blackPng({ width: 64, height: 64 }), name: 'black.png', mimeType: 'image/png' })
      await client.waitForFile(fileId)
      await client.deleteFile(fileId)
      return true
    },
  }

  async function repeat(kind: keyof MixedCounts): Promise<void> {
    while (!ending.signal.aborted) {
      if (await acts[kind]()) counts[kind] += 1
      await pause(pauses[kind])
    }
  }

  const repeating = Promise.allSettled((Object.keys(acts) as (keyof MixedCounts)[]).map(repeat))
  return {
    counts,
    called,
    async end() {
      ending.abort()
      const failed = (await repeating).find((each) => each.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}
