import { List, Skeleton, Text } from '@mantine/core'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { useQuery } from 'urql'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'

const RefusedKeysQuery = graphql(`
  query RefusedKeys($team: ID!, $family: ID!, $since: DateTime!) {
    team(id: $team) {
      id
      apiKeys(state: LIVE, first: 50) {
        nodes {
          id
          name
          scopes
        }
        pageInfo {
          hasNextPage
        }
      }
      generations(familyId: $family, createdAfter: $since, first: 50) {
        nodes {
          generationId
          apiKey {
            id
            name
            state
          }
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  }
`)

const dayMs = 86_400_000
const days = 30
const namesMax = 10

/** Names the keys that can no longer start a family, those of its newest generations first. */
export function RefusedKeys({ familyId }: { familyId: string }) {
  const { id } = useTeam()
  const [since] = useState(() => new Date(Date.now() - days * dayMs).toISOString())
  const variables = { team: id, family: familyId, since }
  const [{ data, error }] = useQuery({ query: RefusedKeysQuery, variables, requestPolicy: 'network-only' })
  if (error) return <Text size="sm">It could not be loaded which keys use the family.</Text>
  if (!data?.team) return <Skeleton height={40} />
  const { inUse, others } = sortKeys(data.team)
  const { nodes, pageInfo } = data.team.generations
  // Another key may have started earlier ones.
  const started = pageInfo.hasNextPage ? `its newest ${nodes.length} generations` : `it in the last ${days} days`
  if (inUse.length === 0)
    return (
      <Text size="sm">
        No live key started {started}. {others > 0 && `${countOf(others, data.team)} may start it today.`}
      </Text>
    )
  return (
    <div>
      <Text size="sm">Keys that started {started}, and will fail:</Text>
      <List size="sm" withPadding mt={4}>
        {inUse.slice(0, namesMax).map(({ id: key, name }) => (
          <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </List.Item>
        ))}
        {inUse.length > namesMax && <List.Item>{inUse.length - namesMax} more</List.Item>}
      </List>
      {others > 0 && (
        <Text size="sm" mt={4}>
          {countOf(others, data.team)} may start it too.
        </Text>
      )}
    </div>
  )
}

type Found = NonNullable<ResultOf<typeof RefusedKeysQuery>['team']>

function sortKeys({ apiKeys, generations }: Found) {
  const inUse = new Map(generations.nodes.flatMap(({ apiKey }) => (apiKey?.state === 'LIVE' ? [[apiKey.id, apiKey]] : [])))
  const others = apiKeys.nodes.filter(({ id, scopes }) => scopes.includes('GENERATIONS_WRITE') && !inUse.has(id))
  return { inUse: [...inUse.values()], others: others.length }
}

function countOf(others: number, { apiKeys }: Found): string {
  return `${apiKeys.pageInfo.hasNextPage ? `At least ${others}` : others} other ${others === 1 ? 'key' : 'keys'}`
}
