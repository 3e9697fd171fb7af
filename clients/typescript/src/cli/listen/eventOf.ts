import { createHmac } from 'node:crypto'
import type { WebhookBody } from '../../openapi.ts'
import type { EndedGeneration } from '../../pollStates.ts'

export const eventOfState = {
  ready: 'generation.completed',
  failed: 'generation.failed',
  cancelled: 'generation.cancelled',
} as const satisfies Record<EndedGeneration['state'], WebhookBody['event']>

/**
 * The event of an ending, as the service sends it. Its identifier is always the same under one secret, as it is for one subscription of
 * the service, so that a receiver drops what another run of the program has told it before.
 */
export function eventOf(generation: EndedGeneration, secret: string): WebhookBody {
  const event = eventOfState[generation.state]
  const createdAt = generation.finishedAt ?? generation.createdAt
  return { id: eventId({ secret, event, createdAt, generationId: generation.generationId }), event, createdAt, data: { generation } }
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
const idCharacters = 26

/** A TypeID of the moment: 48 bits of milliseconds, and from the secret what is chance elsewhere. */
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
