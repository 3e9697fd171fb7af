import { graphql } from './graphql.ts'

/** The fields of a key that rows, pages and dialogs of keys use. */
export const keyFields = graphql(`
  fragment KeyFields on ApiKey {
    id
    name
    prefix
    scopes
    state
    createdAt
    lastUsedAt
    revokedAt
    expiresAt
    previousPrefix
    previousValueEndsAt
    rotatable
    dailyLimitCredits
    monthlyLimitCredits
    singleLimitCredits
    confirmAboveCredits
    spentTodayCredits
    spentThisMonthCredits
    heldCredits
    hints
    issuedBy {
      id
      name
    }
  }
`)
