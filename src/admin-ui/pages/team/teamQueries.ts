import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

export const TeamQuery = graphql(`
  query Team($team: ID!) {
    team(id: $team) {
      id
      planExpiresAt
      lowCreditsThreshold
      createdAt
      account {
        creditsAvailable
        creditsHeld
      }
      limits(first: 1) {
        kind
      }
    }
  }
`)

export const MembersQuery = graphql(`
  query Members($team: ID!, $mayManage: Boolean!, $after: String) {
    team(id: $team) {
      id
      members(first: 25, after: $after) {
        nodes {
          role
          fromGroups
          createdAt
          workingKeys
          restKeys
          shownKeys {
            id
            name
          }
          shownWebhooks @include(if: $mayManage) {
            id
            address
          }
          shownAlertSubscriptions @include(if: $mayManage) {
            id
            address
          }
          sawCallbackSecret @include(if: $mayManage)
          user {
            id
            name
            email
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

export const LedgerQuery = graphql(`
  query Ledger($team: ID!, $grantsOnly: Boolean!, $after: String) {
    team(id: $team) {
      id
      ledger(first: 25, after: $after, grantsOnly: $grantsOnly) {
        nodes {
          id
          kind
          credits
          generationId
          familyId
          note
          createdAt
          key {
            id
            name
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`)

export const SetTeamMember = graphql(`
  mutation SetTeamMember($input: SetTeamMemberInput!) {
    setTeamMember(input: $input) {
      role
    }
  }
`)

export const InviteMember = graphql(`
  mutation InviteMember($input: InviteMemberInput!) {
    inviteMember(input: $input) {
      url
      expiresAt
    }
  }
`)

export const RemoveTeamMember = graphql(`
  mutation RemoveTeamMember($input: RemoveTeamMemberInput!) {
    removeTeamMember(input: $input)
  }
`)

export type TeamFacts = NonNullable<ResultOf<typeof TeamQuery>['team']>
export type Member = NonNullable<ResultOf<typeof MembersQuery>['team']>['members']['nodes'][number]
export type LedgerLine = NonNullable<ResultOf<typeof LedgerQuery>['team']>['ledger']['nodes'][number]
