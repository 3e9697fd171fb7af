import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '../../contract/limits.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'

type BodyBudgetOptions = {
  /** Bytes of all bodies held at once, by their announced length. */
  totalBytesMax: number
  clientBytesMax: number
  /** The size assumed for a body without a length, and the maximum of any body. */
  bodyBytesMax: number
}

/** Room for 64 of the largest bodies of one client, and for four such clients. Together with their parsing they fit into 1 GiB easily. */
export const defaultBodyBudget: BodyBudgetOptions = {
  totalBytesMax: 64 * 1024 * 1024,
  clientBytesMax: 16 * 1024 * 1024,
  bodyBytesMax: limits.requestBodyBytes,
}

/** Reserves memory for the body of a client's request. Returns a refusal when there is none. */
export type BodyBudget = (client: string, request: IncomingMessage, response: ServerResponse) => Refusal | undefined

type HeldBody = { client: string; bytes: number; request: IncomingMessage }

/**
 * Limits the memory of request bodies. The returned function reserves memory for a body before it is read, until the response ends. When
 * the total is used up, it closes the oldest incomplete request of the client that holds the most, so that few clients cannot block the
 * others. Refusals: too_many_concurrent (the client's limit), service_unavailable (the total).
 */
export function makeBodyBudget({ totalBytesMax, clientBytesMax, bodyBytesMax }: BodyBudgetOptions): BodyBudget {
  // In order of arrival.
  const held = new Set<HeldBody>()
  const byClient = new Map<string, number>()
  let total = 0

  const add = ({ client }: HeldBody, bytes: number): void => {
    total += bytes
    const left = (byClient.get(client) ?? 0) + bytes
    if (left > 0) byClient.set(client, left)
    else byClient.delete(client)
  }
  const release = (body: HeldBody): void => {
    if (held.delete(body)) add(body, -body.bytes)
  }
  const evictFromLargestClient = (): boolean => {
    const [largest] = [...byClient].toSorted(([, one], [, other]) => other - one)
    const body = [...held].find(({ client, request }) => client === largest?.[0] && !request.complete)
    if (!body) return false
    release(body)
    body.request.socket.destroy()
    return true
  }

  return (client, request, response) => {
    const bytes = announcedBytes(request, bodyBytesMax)
    if (bytes === 0 || response.closed) return undefined
    const ownBytes = (byClient.get(client) ?? 0) + bytes
    if (ownBytes > clientBytesMax) {
      return new Refusal('too_many_concurrent', { limit: Math.floor(clientBytesMax / bodyBytesMax), retryAfterSeconds: 1 })
    }
    while (total + bytes > totalBytesMax) {
      if (!evictFromLargestClient()) return new Refusal('service_unavailable', { retryAfterSeconds: 1 })
    }
    const body = { client, bytes, request }
    held.add(body)
    add(body, bytes)
    response.once('close', () => release(body))
    return undefined
  }
}

function announcedBytes({ headers }: IncomingMessage, bodyBytesMax: number): number {
  if (headers['transfer-encoding'] !== undefined) return bodyBytesMax
  return Math.min(Number(headers['content-length'] ?? 0), bodyBytesMax)
}
