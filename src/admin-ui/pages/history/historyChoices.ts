import { graphql } from '../../api/graphql.ts'

/** The values of the filters. The service searches keys and people. */
export const ChoicesQuery = graphql(`
  query HistoryChoices($teamId: ID!) {
    families(teamId: $teamId) {
      nodes {
        id
        name
      }
    }
  }
`)

export const PersonChoicesQuery = graphql(`
  query HistoryPersonChoices($teamId: ID!, $search: String!) {
    team(id: $teamId) {
      id
      members(search: $search, first: 20) {
        nodes {
          user {
            id
            name
            email
          }
        }
      }
    }
  }
`)

export const KeyChoicesQuery = graphql(`
  query HistoryKeyChoices($teamId: ID!, $search: String!) {
    team(id: $teamId) {
      id
      apiKeys(search: $search, first: 20) {
        nodes {
          id
          name
          prefix
        }
      }
    }
  }
`)
