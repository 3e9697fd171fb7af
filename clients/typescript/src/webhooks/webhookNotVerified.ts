/** A request that must not be processed: it is not proven that it is from the service and recent. */
export class WebhookNotVerifiedError extends Error {
  override readonly name = 'WebhookNotVerifiedError'
}
