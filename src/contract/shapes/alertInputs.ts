import { z } from 'zod'
import { alertKinds } from '../../entities/AlertSubscription.ts'
import { setOf } from './setOf.ts'
import { newSubscription, subscriptionChange } from './webhookInputs.ts'

const kinds = setOf(z.enum(alertKinds), 'kind')
const { teamId, address } = newSubscription.shape
const { id, paused } = subscriptionChange.shape

/** Contract: docs/contract.md#alerts. */
export const newAlertSubscription = z.object({ teamId, address, kinds })
export type NewAlertSubscription = z.input<typeof newAlertSubscription>

/** A change of a subscription to alerts; an absent field, or null, stays unchanged. Contract: docs/contract.md#alerts. */
export const alertSubscriptionChange = z.object({ id, kinds: kinds.nullish(), paused })
export type AlertSubscriptionChange = z.input<typeof alertSubscriptionChange>
