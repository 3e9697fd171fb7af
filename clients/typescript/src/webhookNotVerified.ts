/** A request that must not be processed: nothing shows that it comes from the service, or that it is new. */
export class WebhookNotVerified extends Error {
  override readonly name = 'WebhookNotVerified'
}
