import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

export const AccountQuery = graphql(`
  query OwnAccount {
    viewer {
      user {
        id
        hasPassword
      }
    }
  }
`)

export const SessionsQuery = graphql(`
  query Sessions {
    sessions {
      id
      current
      createdAt
      lastUsedAt
      userAgent
      address
    }
  }
`)

export const ChangePassword = graphql(`
  mutation ChangePassword($input: ChangePasswordInput!) {
    changePassword(input: $input)
  }
`)

export const SetTimeZone = graphql(`
  mutation SetTimeZone($input: SetTimeZoneInput!) {
    setTimeZone(input: $input) {
      id
      timeZone
    }
  }
`)

export const EndSession = graphql(`
  mutation EndSession($input: EndSessionInput!) {
    endSession(input: $input)
  }
`)

export const EndSessions = graphql(`
  mutation EndSessions {
    endSessions
  }
`)

export type OwnSession = ResultOf<typeof SessionsQuery>['sessions'][number]
