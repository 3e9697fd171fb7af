import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

// An operation may have at most two lists, so a search is several queries.

export const FamiliesQuery = graphql(`
  query PaletteFamilies($team: ID!) {
    families(teamId: $team) {
      nodes {
        id
        name
      }
    }
  }
`)

export const WorkQuery = graphql(`
  query PaletteWork($team: ID!, $search: String!) {
    team(id: $team) {
      id
      generations(search: $search, first: 6) {
        nodes {
          generationId
          familyId
          prompt
          reference
          createdAt
        }
      }
    }
  }
`)

/** The generation with a whole identifier. */
export const GenerationQuery = graphql(`
  query PaletteGeneration($team: ID!, $id: ID!) {
    team(id: $team) {
      id
      generation(id: $id) {
        generationId
        familyId
        prompt
        reference
        createdAt
      }
    }
  }
`)

export const AccessQuery = graphql(`
  query PaletteAccess($team: ID!, $search: String!) {
    team(id: $team) {
      id
      apiKeys(search: $search, first: 6) {
        nodes {
          id
          name
          prefix
          state
        }
      }
      webhookSubscriptions(search: $search, first: 6) {
        nodes {
          id
          address
          paused
        }
      }
    }
  }
`)

export const MembersQuery = graphql(`
  query PaletteMembers($team: ID!, $search: String!) {
    team(id: $team) {
      id
      members(search: $search, first: 6) {
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

type Team<Query extends typeof WorkQuery | typeof AccessQuery | typeof MembersQuery> = NonNullable<ResultOf<Query>['team']>

export type FoundFamily = ResultOf<typeof FamiliesQuery>['families']['nodes'][number]
export type FoundGeneration = Team<typeof WorkQuery>['generations']['nodes'][number]
export type FoundAccess = Pick<Team<typeof AccessQuery>, 'apiKeys' | 'webhookSubscriptions'>
export type FoundMember = Team<typeof MembersQuery>['members']['nodes'][number]
