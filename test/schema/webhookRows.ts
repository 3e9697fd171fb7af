import { type Column, connection, rows } from './roleColumns.ts'

type Groups = { admins: Column[]; hookAdmins: Column[] }

/** The rows of webhooks, callbacks and alerts; see roleMatrix.ts. */
export const webhookRows = ({ admins, hookAdmins }: Groups): Record<string, readonly Column[]> => ({
  ...rows(
    'WebhookSubscription',
    hookAdmins,
    'id address events paused autoPausedAt createdAt deletedAt secretOverlapEndsAt lastDeliveryDay json',
  ),
  ...rows('WebhookSubscription', admins, 'team'),
  ...rows('WebhookSubscriptionList', hookAdmins, 'json'),
  ...rows('WebhookDeliveryList', hookAdmins, 'json'),
  ...rows('WebhookSubscription', hookAdmins, 'lastDeliveryOutcome deliveries health healthByDay'),
  ...rows('WebhookHealth', hookAdmins, 'hours delivered failedAttempts successRate waiting retrying'),
  ...rows('WebhookDay', hookAdmins, 'day delivered failedAttempts'),
  ...rows('WebhookHour', hookAdmins, 'start delivered failedAttempts'),
  ...rows(
    'WebhookDelivery',
    hookAdmins,
    'id subscription subscriptionId address event eventNumber isTest time state attempts attemptLog responseCode refusalText',
  ),
  ...rows('WebhookDelivery', hookAdmins, 'responseSnippet nextAttemptAt payload generationId json kind alertSubscription'),
  ...rows('WebhookDelivery', admins, 'team'),
  ...rows('RotateCallbackSecretPayload', hookAdmins, 'signingSecret json'),
  ...rows('RotateCallbackSecretPayload', admins, 'team'),
  ...rows('WebhookAttempt', hookAdmins, 'number time durationSeconds responseCode refusalText responseSnippet'),
  ...rows('CreateWebhookSubscriptionPayload', hookAdmins, 'subscription signingSecret json'),
  ...rows('RotateWebhookSecretPayload', hookAdmins, 'subscription signingSecret json'),
  ...connection('TeamWebhookSubscriptions', admins),
  ...rows(
    'AlertSubscription',
    hookAdmins,
    'id address kinds paused createdAt deletedAt secretOverlapEndsAt lastDeliveryDay lastDeliveryOutcome',
  ),
  ...rows('AlertSubscription', admins, 'team'),
  ...rows('CreateAlertSubscriptionPayload', hookAdmins, 'subscription signingSecret'),
  ...rows('RotateAlertSecretPayload', hookAdmins, 'subscription signingSecret'),
  ...connection('TeamAlertSubscriptions', admins),
  ...rows('TeamAlert', admins, 'id kind raisedAt subjectId subjectName limitKind percent thresholdCredits endsAt autoPausedAt'),
  ...connection('WebhookSubscriptionDeliveries', hookAdmins),
  ...rows(
    'Team',
    admins,
    'webhookDeliveries auditLog invitations webhookSubscriptions alertSubscriptions alerts callbackSecret callbackSecretOverlapEndsAt',
  ),
  ...rows('Team', admins, 'failingCallbacks failingWebhooks keysAtRisk'),
  ...rows('CallbackOrigin', admins, 'origin lastDeliveryDay lastDeliveryOutcome health'),
  ...rows('CallbackSecret', hookAdmins, 'json'),
  ...connection('TeamWebhookDeliveries', admins),
})
