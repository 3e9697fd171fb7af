import { List, Skeleton, Text } from '@mantine/core'
import { useQuery } from 'urql'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'

const RefusedKeysQuery = graphql(`
  query RefusedKeys($team: ID!, $family: ID!) {
    team(id: $team) {
      id
      keysOfFamily(familyId: $family) {
        inUse {
          generations
          key {
            id
            name
          }
        }
        inUseCount
        otherCount
      }
    }
  }
`)

/** Names the keys that fail when the family is switched off, the most used first. */
export function RefusedKeys({ familyId }: { familyId: string }) {
  const { id } = useTeam()
  const variables = { team: id, family: familyId }
  const [{ data, error }] = useQuery({ query: RefusedKeysQuery, variables, requestPolicy: 'network-only' })
  if (error) return <Text size="sm">It could not be loaded which keys use the family.</Text>
  if (!data?.team) return <Skeleton height={40} />
  const { inUse, inUseCount, otherCount } = data.team.keysOfFamily
  const others = `${otherCount.toLocaleString()} ${inUseCount > 0 ? 'other ' : ''}${otherCount === 1 ? 'key' : 'keys'}`
  if (inUseCount === 0)
    return (
      <Text size="sm">
        No key that may start it has started it in the last 30 days. {otherCount > 0 && `${others} may start it today.`}
      </Text>
    )
  return (
    <div>
      <Text size="sm">These keys started it in the last 30 days, and will fail:</Text>
      <List size="sm" withPadding mt={4}>
        {inUse.map(({ key, generations }) => (
          <List.Item key={key.id} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{key.name}</bdi>: {generations.toLocaleString()} {generations === 1 ? 'generation' : 'generations'}
          </List.Item>
        ))}
        {inUseCount > inUse.length && <List.Item>and {(inUseCount - inUse.length).toLocaleString()} more</List.Item>}
      </List>
      {otherCount > 0 && (
        <Text size="sm" mt={4}>
          {others} may start it too.
        </Text>
      )}
    </div>
  )
}
