import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

export const SettingsQuery = graphql(`
  query Settings($team: ID!) {
    team(id: $team) {
      id
      lowCreditsThreshold
      membersMayRun
      runDailyLimitCredits
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

export const SetTeamRuns = graphql(`
  mutation SetTeamRuns($input: SetTeamRunsInput!) {
    setTeamRuns(input: $input) {
      id
      membersMayRun
      runDailyLimitCredits
    }
  }
`)

export const SetLowCredits = graphql(`
  mutation SetLowCredits($input: UpdateTeamInput!) {
    updateTeam(input: $input) {
      id
      lowCreditsThreshold
    }
  }
`)

export const DeleteTeam = graphql(`
  mutation DeleteTeam($input: DeleteTeamInput!) {
    deleteTeam(input: $input)
  }
`)

export type SettingsTeam = NonNullable<ResultOf<typeof SettingsQuery>['team']>
export type Retention = SettingsTeam['retention']
