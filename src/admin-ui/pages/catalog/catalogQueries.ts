import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

/** The families as the team sees them, and those that the team switched off. */
export const CatalogQuery = graphql(`
  query Catalog($teamId: ID!) {
    families(teamId: $teamId) {
      nodes {
        id
        name
        vendor
        description
        available
        lockReason
        tasks
        outputType
        creditsFrom
        expectedRunSeconds {
          typical
          slow
        }
      }
    }
    team(id: $teamId) {
      id
      switchedOffFamilies {
        familyId
        byName
        since
      }
    }
  }
`)

export const FamilyQuery = graphql(`
  query CatalogFamily($id: ID!, $teamId: ID!) {
    family(id: $id, teamId: $teamId) {
      id
      name
      vendor
      description
      available
      lockReason
      tasks
      outputType
      creditsFrom
      updatedAt
      expectedRunSeconds {
        typical
        slow
      }
      axes {
        name
        label
        values
        default
      }
      variants {
        modelId
        label
        tasks
        axes
        inputs
        parameters
        creditsFrom
        prices {
          unit
          credits
          when
        }
        expectedRunSeconds {
          typical
          slow
        }
      }
    }
    team(id: $teamId) {
      id
      switchedOffFamilies {
        familyId
        byName
        since
      }
    }
  }
`)

export const SwitchFamilyMutation = graphql(`
  mutation SwitchFamily($input: SetFamilyAvailabilityInput!) {
    setFamilyAvailability(input: $input) {
      id
      available
      lockReason
    }
  }
`)

export const EstimateQuery = graphql(`
  query EstimateGeneration($teamId: ID!, $input: GenerationInput!) {
    estimate(teamId: $teamId, input: $input) {
      credits
      creditsAvailable
      sufficient
      blockers
      breakdown {
        unit
        quantity
        credits
      }
      expectedRunSeconds {
        typical
        slow
      }
    }
  }
`)

export type ListedFamily = ResultOf<typeof CatalogQuery>['families']['nodes'][number]
export type SwitchedOff = NonNullable<ResultOf<typeof CatalogQuery>['team']>['switchedOffFamilies'][number]
export type Estimate = ResultOf<typeof EstimateQuery>['estimate']
type ReadFamily = NonNullable<ResultOf<typeof FamilyQuery>['family']>
type ReadVariant = ReadFamily['variants'][number]

type Medium = { min: number; max: number; field: string; mimeTypes: string[] }
export type VariantInputs = { prompt: { required: boolean; maxLength: number | null } } & Record<
  'images' | 'videos' | 'audios' | 'models3d',
  Medium
>

/** JSON fields of the schema, with the types of the REST API. */
export type Variant = Omit<ReadVariant, 'axes' | 'inputs' | 'parameters' | 'prices'> & {
  axes: Record<string, string>
  inputs: VariantInputs
  parameters: Record<string, unknown>
  prices: Price[]
}
export type Price = { unit: string; credits: number; when: Record<string, string | number | boolean> }
export type Family = Omit<ReadFamily, 'variants'> & { variants: Variant[] }

export function familyOf(read: ReadFamily): Family {
  return read as Family
}
