import { graphql } from '../../api/graphql.ts'

/** What the page of a generation shows beside the generation itself. */
export const GenerationPageQuery = graphql(`
  query GenerationPage($teamId: ID!, $id: ID!, $isManager: Boolean!) {
    team(id: $teamId) {
      id
      generationNeighbours(id: $id) {
        newerId
        olderId
      }
      generationDeliveries(id: $id) @include(if: $isManager) {
        id
        event
        state
        attempts
        responseCode
        subscriptionId
        address
      }
    }
  }
`)
