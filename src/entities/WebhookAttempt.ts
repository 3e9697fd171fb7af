import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** One request of a delivery and its outcome; without a `refusal` it was delivered. */
export const WebhookAttempt = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempts',
  properties: {
    deliveryId: p.text().primary(),
    number: p.integer().primary(),
    begunAt: p.datetime(),
    tookSeconds: p.double().$type<number>(),
    responseCode: p.integer().strictNullable(),
    refusal: p.text().strictNullable(),
    responseStart: p.blob().$type<Buffer>().strictNullable(),
  },
})
export type WebhookAttempt = InferEntity<typeof WebhookAttempt>
