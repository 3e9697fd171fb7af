import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'
import { usageDayFields } from '../../api/usageDayFields.ts'

// An operation may have at most two lists, so the overview is three queries.

export const StandingQuery = graphql(`
  query OverviewStanding($team: ID!) {
    team(id: $team) {
      id
      planExpiresAt
      lowCreditsThreshold
      account {
        creditsAvailable
        creditsHeld
      }
      limits(first: 1) {
        kind
      }
      workUnderWay {
        queued
        running
        finalizing
      }
    }
  }
`)

export const WorkQuery = graphql(
  `
  query OverviewWork($team: ID!, $from: DateTime!, $to: DateTime!) {
    team(id: $team) {
      id
      usage(from: $from, to: $to, by: DAY) {
        ...UsageDayFields
      }
      generations(state: READY, first: 24) {
        nodes {
          generationId
          state
          outputType
          prompt
          familyId
          createdAt
          result {
            url
            urlExpiresAt
            mimeType
            sizeBytes
            durationSeconds
          }
        }
      }
    }
  }
`,
  [usageDayFields],
)

export const AccessQuery = graphql(`
  query OverviewAccess($team: ID!) {
    team(id: $team) {
      id
      keysAtRisk {
        id
        name
        expiresAt
        hints
        dailyLimitCredits
        monthlyLimitCredits
        spentTodayCredits
        spentThisMonthCredits
        heldCredits
      }
      failingWebhooks {
        id
        address
        autoPausedAt
        health {
          delivered
          failedAttempts
        }
      }
      apiKeys(first: 1, state: LIVE) {
        nodes {
          id
        }
      }
      webhookSubscriptions(first: 1) {
        nodes {
          id
        }
      }
    }
  }
`)

type Standing = NonNullable<ResultOf<typeof StandingQuery>['team']>
type Work = NonNullable<ResultOf<typeof WorkQuery>['team']>
type Access = NonNullable<ResultOf<typeof AccessQuery>['team']>

/** The state of a team at a glance. Keys and webhooks only for owners and administrators. `usage` has every day of the span. */
export type OverviewTeam = Standing & Omit<Work, 'usage'> & Partial<Access> & { usage: (Work['usage'][number] & { day: string })[] }
export type LatestGeneration = Work['generations']['nodes'][number]
