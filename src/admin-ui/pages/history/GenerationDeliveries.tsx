import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core'
import type { ResultOf } from 'gql.tada'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import type { GenerationPageQuery } from './generationPageQuery.ts'

type Deliveries = NonNullable<NonNullable<ResultOf<typeof GenerationPageQuery>['team']>['generationDeliveries']>

/** Where the event of the generation was sent. */
export function GenerationDeliveries({ deliveries }: { deliveries: Deliveries }) {
  const { id: teamId } = useTeam()
  return (
    <Box component="section" aria-labelledby="generation-deliveries">
      <Title order={2} size="h3" id="generation-deliveries" mb="xs">
        Deliveries
      </Title>
      {deliveries.length === 0 && (
        <Text size="sm" c="dimmed">
          No webhook received its event.
        </Text>
      )}
      <Stack gap="xs">
        {deliveries.map(({ id, state, attempts, responseCode, subscriptionId, address }) => (
          <Group key={id} gap="xs" wrap="nowrap" align="flex-start">
            <StateBadge state={state} />
            <Box miw={0}>
              <Anchor
                component={Link}
                to={paths.screen(teamId, 'deliveries', { webhook: subscriptionId ?? 'callbacks', delivery: id })}
                size="sm"
                style={{ overflowWrap: 'anywhere' }}
              >
                <WordBreaks text={address} />
              </Anchor>
              <Text size="xs" c="dimmed">
                {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
                {responseCode !== null && ` · answered ${responseCode}`}
              </Text>
            </Box>
          </Group>
        ))}
      </Stack>
    </Box>
  )
}
