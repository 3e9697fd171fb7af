import { graphql } from '../../api/graphql.ts'

export const UpdateWebhook = graphql(`
  mutation UpdateWebhook($input: UpdateWebhookSubscriptionInput!) {
    updateWebhookSubscription(input: $input) {
      id
      events
      paused
    }
  }
`)
