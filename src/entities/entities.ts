import { ApiKey } from './ApiKey.ts'
import { CreditAccount } from './CreditAccount.ts'
import { FamilyOverride } from './FamilyOverride.ts'
import { Generation } from './Generation.ts'
import { Membership } from './Membership.ts'
import { StoredFile } from './StoredFile.ts'
import { Team } from './Team.ts'
import { User } from './User.ts'

/** Every entity that the ORM knows. */
export const entities = [ApiKey, CreditAccount, FamilyOverride, Generation, Membership, StoredFile, Team, User] as const
