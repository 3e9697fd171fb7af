import { createHmac } from 'node:crypto'
import type { EndedGeneration } from '../../generations/pollStates.ts'
import type { WebhookBody } from '../../openapi.ts'

export const eventOfState = {
  ready: 'generation.completed',
  failed: 'generation.failed',
  cancelled: 'generation.cancelled',
} as const satisfies Record<EndedGeneration['state'], WebhookBody['event']>

/**
 * The event of an ended generation, as the service sends it. Its identifier depends only on secret, generation and event, so that a
 * receiver can drop events of an earlier run.
 */
export function eventOf(generation: EndedGeneration, secret: string): WebhookBody {
  const event = eventOfState[generation.state]
  const createdAt = generation.finishedAt ?? generation.createdAt
  return { id: eventId({ secret, event, createdAt, generationId: generation.generationId }), event, createdAt, data: { generation } }
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
const idCharacters = 26

/** A TypeID with 48 bits of the time in milliseconds. The rest is derived from the secret instead of random. */
function eventId({
  secret,
  event,
  createdAt,
  generationId,
}: {
  secret: string
  event: string
  createdAt: string
  generationId: string
}): string {
  const bytes = createHmac('sha256', secret).update(`${generationId}.${event}`).digest().subarray(0, 16)
  bytes.writeUIntBE(Math.max(0, Date.parse(createdAt)) || 0, 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  let left = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let count = 0; count < idCharacters; count++) {
    text = (digits[Number(left % 32n)] ?? '') + text
    left /= 32n
  }
  return `evt_${text}`
}
