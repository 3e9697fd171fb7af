import { type CallOptions, call } from '../http/call.ts'
import type { ResponsePromise } from '../http/responsePromise.ts'
import type {
  CallbackSecret,
  Key,
  KeyList,
  KeyWithValue,
  Operations,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookSubscription,
  WebhookSubscriptionList,
  WebhookSubscriptionWithSecret,
} from '../openapi.ts'
import { AccountClient } from './accountClient.ts'

/** Keys and webhooks of the team. */
export class ManagementClient extends AccountClient {
  /** Lists the keys of the team, a page at a time. Needs a key with the scope `keys:write`, like all methods for keys. */
  listKeys(query: Operations['listKeys']['query'] = {}, options: CallOptions = {}): ResponsePromise<KeyList> {
    return call(this.connection, 'listKeys', { query, ...options })
  }

  /**
   * Issues a key within the rights of this one. Its `value` is returned only here. A repeat would issue another key, so this call is not
   * repeated.
   */
  issueKey(body: Operations['issueKey']['body'], options: CallOptions = {}): ResponsePromise<KeyWithValue> {
    return call(this.connection, 'issueKey', { body, ...options })
  }

  /** Reads a key of the team, without its value. */
  getKey(id: string, options: CallOptions = {}): ResponsePromise<Key> {
    return call(this.connection, 'getKey', { path: { id }, ...options })
  }

  /** Changes the given settings of a key; null removes a ceiling or the end. */
  updateKey(id: string, body: Operations['updateKey']['body'], options: CallOptions = {}): ResponsePromise<Key> {
    return call(this.connection, 'updateKey', { path: { id }, body, repeatable: true, ...options })
  }

  /** Ends a key and its result links at once. */
  revokeKey(id: string, options: CallOptions = {}): ResponsePromise<void> {
    return call(this.connection, 'revokeKey', { path: { id }, repeatable: true, ...options })
  }

  /** Gives a key a new value, which is returned only here. The present value works for `overlapHours` more. */
  rotateKey(id: string, body: Operations['rotateKey']['body'] = {}, options: CallOptions = {}): ResponsePromise<KeyWithValue> {
    return call(this.connection, 'rotateKey', { path: { id }, body, ...options })
  }

  /** Lists the webhooks of the team, a page at a time. Needs a key with the scope `webhooks:write`, like all methods for webhooks. */
  listWebhooks(query: Operations['listWebhooks']['query'] = {}, options: CallOptions = {}): ResponsePromise<WebhookSubscriptionList> {
    return call(this.connection, 'listWebhooks', { query, ...options })
  }

  /** Creates a webhook. Its `signingSecret` is returned only here. This call is not repeated. */
  createWebhook(body: Operations['createWebhook']['body'], options: CallOptions = {}): ResponsePromise<WebhookSubscriptionWithSecret> {
    return call(this.connection, 'createWebhook', { body, ...options })
  }

  /** Reads a webhook of the team, without its secret. */
  getWebhook(id: string, options: CallOptions = {}): ResponsePromise<WebhookSubscription> {
    return call(this.connection, 'getWebhook', { path: { id }, ...options })
  }

  /** Changes the events of a webhook, pauses or resumes it. */
  updateWebhook(id: string, body: Operations['updateWebhook']['body'], options: CallOptions = {}): ResponsePromise<WebhookSubscription> {
    return call(this.connection, 'updateWebhook', { path: { id }, body, repeatable: true, ...options })
  }

  /** Deletes a webhook. */
  deleteWebhook(id: string, options: CallOptions = {}): ResponsePromise<void> {
    return call(this.connection, 'deleteWebhook', { path: { id }, ...options })
  }

  /** Gives a webhook a new secret, which is returned only here. */
  rotateWebhookSecret(
    id: string,
    body: Operations['rotateWebhookSecret']['body'] = {},
    options: CallOptions = {},
  ): ResponsePromise<WebhookSubscriptionWithSecret> {
    return call(this.connection, 'rotateWebhookSecret', { path: { id }, body, ...options })
  }

  /** Sends a test event to a webhook. */
  sendTestEvent(id: string, options: CallOptions = {}): ResponsePromise<WebhookDelivery> {
    return call(this.connection, 'sendTestEvent', { path: { id }, body: {}, ...options })
  }

  /** Returns the secret that signs the callbacks of starts. */
  getCallbackSecret(options: CallOptions = {}): ResponsePromise<CallbackSecret> {
    return call(this.connection, 'getCallbackSecret', options)
  }

  /** Gives callbacks a new secret. */
  rotateCallbackSecret(body: Operations['rotateCallbackSecret']['body'] = {}, options: CallOptions = {}): ResponsePromise<CallbackSecret> {
    return call(this.connection, 'rotateCallbackSecret', { body, ...options })
  }

  /** Lists the deliveries of a webhook, newest event first. */
  listDeliveries(
    id: string,
    query: Operations['listDeliveries']['query'] = {},
    options: CallOptions = {},
  ): ResponsePromise<WebhookDeliveryList> {
    return call(this.connection, 'listDeliveries', { path: { id }, query, ...options })
  }

  /** Lists the deliveries of the team, alerts and callbacks of starts included, newest event first. */
  listTeamDeliveries(
    query: Operations['listTeamDeliveries']['query'] = {},
    options: CallOptions = {},
  ): ResponsePromise<WebhookDeliveryList> {
    return call(this.connection, 'listTeamDeliveries', { query, ...options })
  }

  /** Reads a delivery. */
  getDelivery(id: string, options: CallOptions = {}): ResponsePromise<WebhookDelivery> {
    return call(this.connection, 'getDelivery', { path: { id }, ...options })
  }

  /** Sends the event of a delivery again. */
  redeliver(id: string, options: CallOptions = {}): ResponsePromise<WebhookDelivery> {
    return call(this.connection, 'redeliver', { path: { id }, body: {}, ...options })
  }
}
