import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'
import { usageDayFields } from '../../api/usageDayFields.ts'

/** The limits of the next start, and unfinished work. */
export const LimitsQuery = graphql(`
  query Standing($team: ID!) {
    team(id: $team) {
      id
      lowCreditsThreshold
      account {
        creditsAvailable
        creditsHeld
      }
      limits(first: 3) {
        kind
        key {
          id
          name
        }
        leftCredits
        limitCredits
        spentCredits
        heldCredits
        resetsAt
      }
      workUnderWay {
        queued
        running
        finalizing
        creditsHeld
      }
    }
  }
`)

/** The days of a period. */
export const DaysQuery = graphql(
  `
  query UsageDays($team: ID!, $from: DateTime!, $to: DateTime!) {
    team(id: $team) {
      id
      usage(from: $from, to: $to, by: DAY) {
        ...UsageDayFields
      }
    }
  }
`,
  [usageDayFields],
)

/** The most expensive keys or families of a period, in total and by day. */
export const GroupsQuery = graphql(`
  query UsageGroups($team: ID!, $from: DateTime!, $to: DateTime!, $by: UsageBy!, $split: UsageSplit!, $first: Int) {
    team(id: $team) {
      id
      usage(from: $from, to: $to, by: $by, first: $first) {
        key {
          id
          name
          prefix
        }
        familyId
        generations
        ready
        failed
        cancelled
        creditsCharged
      }
      usageByDay(from: $from, to: $to, by: $split, first: 5) {
        day
        key {
          id
          name
        }
        familyId
        isRest
        generations
        creditsCharged
      }
    }
  }
`)

/** The days of one key or one family. */
export const KeyOrFamilyQuery = graphql(`
  query KeyOrFamilyUsage($team: ID!, $from: DateTime!, $to: DateTime!, $key: ID, $family: String) {
    team(id: $team) {
      id
      dailyUsage(from: $from, to: $to, keyId: $key, familyId: $family) {
        day
        generations
        ready
        failed
        cancelled
        creditsCharged
        medianSeconds
        p95Seconds
        medianQueueSeconds
        p95QueueSeconds
        medianRunSeconds
        p95RunSeconds
      }
    }
  }
`)

export type UsageLimits = NonNullable<ResultOf<typeof LimitsQuery>['team']>
export type Limit = UsageLimits['limits'][number]
export type UsageDay = NonNullable<ResultOf<typeof DaysQuery>['team']>['usage'][number]
export type UsageGroup = NonNullable<ResultOf<typeof GroupsQuery>['team']>['usage'][number]
export type KeyOrFamilyDay = NonNullable<ResultOf<typeof KeyOrFamilyQuery>['team']>['dailyUsage'][number]
export type UsagePart = NonNullable<ResultOf<typeof GroupsQuery>['team']>['usageByDay'][number]
