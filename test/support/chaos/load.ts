import { setTimeout as pause } from 'node:timers/promises'
import { Atelier } from '../../../clients/typescript/src/atelier.ts'
import { NotFoundError } from '../../../clients/typescript/src/errorKinds.ts'
import type { Balancer } from './balancer.ts'

/** A start that was answered with 201. `at` is of `performance.now()`. */
export type Acknowledged = { key: string; generationId: string; at: number }

export type Load = {
  /** By idempotency key. */
  acknowledged: Map<string, Acknowledged>
  /** Resolves once every start was answered with 201, however often it had to be sent. */
  done: Promise<void>
  /**
   * What a careful client does after a disaster: asks for each generation that it was told of, and sends the start of one that is unknown
   * again, under the same key. Gives how many those were.
   */
  repeatUnknown(): Promise<number>
}

/** How many different pictures there are; each comes out the same every time. */
const pictures = 8
const startSeconds = 120

/** The picture that a start asks for. */
export function pictureOf(key: string): number {
  return Number(key.split('-').at(-1)) % pictures
}

/** Starts `count` generations, evenly over `overMs`, with the client for TypeScript and an idempotency key each. */
export function startLoad(balancer: Balancer, options: { key: string; name: string; count: number; overMs: number }): Load {
  const client = clientOf(balancer, options.key)
  const acknowledged: Load['acknowledged'] = new Map()

  async function start(key: string): Promise<void> {
    const seed = pictureOf(key)
    // So that there is work of all states at every moment.
    const parameters = { width: 96, height: 96, seed, runSeconds: seed % 3 }
    const request = { familyId: 'sandbox-image', prompt: `picture ${seed}`, parameters, reference: key }
    const { generationId } = await client.start(request, { idempotencyKey: key, timeoutSeconds: startSeconds })
    acknowledged.set(key, { key, generationId, at: performance.now() })
  }

  async function startAll(): Promise<void> {
    const starts: Promise<void>[] = []
    for (let index = 0; index < options.count; index++) {
      starts.push(start(`${options.name}-${index}`))
      await pause(options.overMs / options.count)
    }
    const refused = (await Promise.allSettled(starts)).filter((each) => each.status === 'rejected')
    if (refused.length > 0) throw new Error(`${refused.length} starts were never answered with 201: ${refused[0]?.reason}`)
  }

  return {
    acknowledged,
    done: startAll(),
    async repeatUnknown() {
      let unknown = 0
      for (const { key, generationId } of [...acknowledged.values()]) {
        try {
          await client.getGeneration(generationId)
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error
          unknown += 1
          await start(key)
        }
      }
      return unknown
    },
  }
}

/** Repeats as the package does by itself, only for longer. */
export function clientOf({ fetch }: Balancer, key: string): Atelier {
  return new Atelier({ baseUrl: 'http://127.0.0.1/api/v1', key, fetch, attemptsMax: 100, timeoutSeconds: 60 })
}
