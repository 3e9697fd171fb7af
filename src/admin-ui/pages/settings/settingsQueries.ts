import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

export const SettingsQuery = graphql(`
  query Settings($team: ID!) {
    team(id: $team) {
      id
      retention {
        mediaDays
        historyDays
        deploymentHistoryDays
      }
    }
  }
`)

export const SetTeamRetention = graphql(`
  mutation SetTeamRetention($input: SetTeamRetentionInput!) {
    setTeamRetention(input: $input) {
      id
      retention {
        mediaDays
        historyDays
      }
    }
  }
`)

export const DeleteTeam = graphql(`
  mutation DeleteTeam($input: DeleteTeamInput!) {
    deleteTeam(input: $input)
  }
`)

export type Retention = NonNullable<ResultOf<typeof SettingsQuery>['team']>['retention']
