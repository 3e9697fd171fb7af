import { ApiKey } from './ApiKey.ts'
import { CreditAccount } from './CreditAccount.ts'
import { FamilyOverride } from './FamilyOverride.ts'
import { Generation } from './Generation.ts'
import { Membership } from './Membership.ts'
import { ServiceToken } from './ServiceToken.ts'
import { StoredFile } from './StoredFile.ts'
import { Team } from './Team.ts'
import { User } from './User.ts'
import { WebhookAttempt } from './WebhookAttempt.ts'
import { WebhookDelivery } from './WebhookDelivery.ts'
import { WebhookSubscription } from './WebhookSubscription.ts'

/** Every entity of the ORM. */
export const entities = [
  ApiKey,
  CreditAccount,
  FamilyOverride,
  Generation,
  Membership,
  ServiceToken,
  StoredFile,
  Team,
  User,
  WebhookAttempt,
  WebhookDelivery,
  WebhookSubscription,
] as const
