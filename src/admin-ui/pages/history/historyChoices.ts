import { graphql } from '../../api/graphql.ts'

/** The values of the filters. The service searches the keys. */
export const ChoicesQuery = graphql(`
  query HistoryChoices($teamId: ID!) {
    families(teamId: $teamId) {
      nodes {
        id
        name
      }
    }
    team(id: $teamId) {
      id
      members(first: 50) {
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
