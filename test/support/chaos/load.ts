import { setTimeout as pause } from 'node:timers/promises'
import { Atelier } from '../../../clients/typescript/src/atelier.ts'
import { NotFoundError } from '../../../clients/typescript/src/errors/errorKinds.ts'
import type { GenerationRequest } from '../../../clients/typescript/src/openapi.ts'
import { billingFamilies } from '../billing/billingCatalog.ts'
import type { Work } from '../billing/work.ts'
import type { Balancer } from './balancer.ts'

/** A start that was answered with 201. `at` is of `performance.now()`. */
export type Acknowledged = { key: string; generationId: string; at: number }

export type Load = {
  /** By idempotency key. */
  acknowledged: Map<string, Acknowledged>
  /** Resolves once every start was answered with 201, however often it had to be sent. */
  done: Promise<void>
  /**
   * Like a careful client after a failover: reads each acknowledged generation, and sends the start of an unknown one
   * again with the same key. Returns their number.
   */
  repeatUnknown(): Promise<number>
}

/** The number of different images; each is deterministic. */
const pictures = 8
const startSeconds = 120

/** The image of a start. */
export function pictureOf(key: string): number {
  return Number(key.split('-').at(-1)) % pictures
}

/** The kind of work that a start asks of the vendor that bills; `undefined` for one of the sandbox. */
export function billedKindOf(key: string): Work['kind'] | undefined {
  return key.match(/-billed-(synchronous|queued)-\d+$/)?.[1] as Work['kind'] | undefined
}

const billedSeconds = [0.2, 1, 3, 8, 15, 30]

/** How long the vendor that bills takes for a prompt, which is the key of its start. */
export function billedSecondsOf(prompt: string): number {
  return billedSeconds[Number(prompt.split('-').at(-1)) % billedSeconds.length] ?? 1
}

function requestOf(key: string): GenerationRequest {
  const kind = billedKindOf(key)
  if (kind) return { familyId: billingFamilies[kind], prompt: key, reference: key }
  const seed = pictureOf(key)
  // Ensures work in all states at every moment.
  const parameters = { width: 96, height: 96, seed, runSeconds: seed % 3 }
  return { familyId: 'sandbox-image', prompt: `picture ${seed}`, parameters, reference: key }
}

type LoadOptions = {
  key: string
  name: string
  /** How many the sandbox makes, and how many of each kind the vendor that bills. */
  count: number
  billed?: number
  overMs: number
}

/** Starts generations, evenly over `overMs`, with the client for TypeScript and an idempotency key each. */
export function startLoad(balancer: Balancer, { name, count, billed = 0, ...options }: LoadOptions): Load {
  const client = clientOf(balancer, options.key)
  const acknowledged: Load['acknowledged'] = new Map()

  async function start(key: string): Promise<void> {
    const { generationId } = await client.start(requestOf(key), { idempotencyKey: key, timeoutSeconds: startSeconds })
    acknowledged.set(key, { key, generationId, at: performance.now() })
  }

  async function startEvenly(prefix: string, starting: number): Promise<void> {
    const starts: Promise<void>[] = []
    for (let index = 0; index < starting; index++) {
      starts.push(start(`${prefix}-${index}`))
      await pause(options.overMs / starting)
    }
    const refused = (await Promise.allSettled(starts)).filter((each) => each.status === 'rejected')
    if (refused.length > 0) throw new Error(`${refused.length} starts were never answered with 201: ${refused[0]?.reason}`)
  }

  return {
    acknowledged,
    done: Promise.all([
      startEvenly(name, count),
      startEvenly(`${name}-billed-synchronous`, billed),
      startEvenly(`${name}-billed-queued`, billed),
    ]).then(() => undefined),
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

/** Repeats like the package, but for longer. */
export function clientOf({ fetch }: Balancer, key: string): Atelier {
  return new Atelier({ baseUrl: 'http://127.0.0.1/api/v1', key, fetch, attemptsMax: 100, timeoutSeconds: 60 })
}
