import { z } from 'zod'
import { moment } from './credits.ts'
import { newSubscription, secretRotation } from './webhookInputs.ts'

/** The callback of one start. Contract: docs/contract.md#callbacks. */
export const callback = z
  .strictObject({
    url: newSubscription.shape.address.meta({ description: 'A public https address that receives the event.' }),
    events: newSubscription.shape.events.unwrap().optional().meta({ description: 'The ends to send, each once. Omitted: all.' }),
  })
  .meta({ id: 'GenerationCallback', description: 'Sends the end of this generation to an address, like a webhook.' })

export type Callback = z.output<typeof callback>

/** The overlap is that of the secret of a webhook. Contract: docs/contract.md#callbacks. */
export const callbackSecretRotation = z.object({ teamId: z.string(), overlapHours: secretRotation.shape.overlapHours })

export type CallbackSecretRotation = z.input<typeof callbackSecretRotation>

/** The answer of GET /callback-secret and of its rotation. Contract: docs/contract.md#management-by-key. */
export const callbackSecretRecord = z
  .object({
    signingSecret: z.string().meta({ description: 'It signs the callbacks of starts.' }),
    secretOverlapEndsAt: moment.nullable().meta({ description: 'Until then callbacks are also signed with the previous secret.' }),
  })
  .meta({ id: 'CallbackSecret', description: 'The secret of the callbacks of a team. It can be read again.' })
export type CallbackSecretRecord = z.output<typeof callbackSecretRecord>
