import type { ResultOf, VariablesOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

/** A page of the team's audit log, newest entry first. */
export const AuditQuery = graphql(`
  query Audit($team: ID!, $actor: ID, $subject: ID, $action: AuditAction, $since: DateTime, $until: DateTime, $after: String) {
    team(id: $team) {
      id
      auditLog(first: 50, after: $after, actorId: $actor, subjectId: $subject, action: $action, since: $since, until: $until) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          time
          actorKind
          actorId
          actorName
          tool
          action
          subjectId
          subjectName
          before
          after
          address
          userAgent
          requestId
        }
      }
    }
  }
`)

export type AuditVariables = VariablesOf<typeof AuditQuery>
export type AuditPage = NonNullable<ResultOf<typeof AuditQuery>['team']>['auditLog']
export type AuditEntry = AuditPage['nodes'][number]
export type AuditAction = AuditEntry['action']

/** The members of the team, as possible actors. */
export const ActorsQuery = graphql(`
  query Actors($team: ID!) {
    team(id: $team) {
      id
      members(first: 50) {
        nodes {
          user {
            id
            name
          }
        }
      }
    }
  }
`)
