import { Anchor, Group, Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import type { OverviewTeam } from './overviewQuery.ts'

/** The first three steps of a team, for its owners and administrators. Hidden when all are done. */
export function FirstSteps({ team }: { team: OverviewTeam }) {
  const { mayManage } = useTeam()
  const { id, apiKeys, webhookSubscriptions, generations } = team
  const steps = [
    { words: 'Issue a key for your program', to: paths.screen(id, 'keys'), done: (apiKeys?.nodes.length ?? 0) > 0 },
    { words: 'Run a model', to: paths.screen(id, 'playground'), done: generations.nodes.length > 0 },
    { words: 'Add a webhook, instead of polling', to: paths.screen(id, 'webhooks'), done: (webhookSubscriptions?.nodes.length ?? 0) > 0 },
  ]
  if (!mayManage || steps.every(({ done }) => done)) return null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="first-steps" bg="var(--atelier-surface)">
      <Title order={2} id="first-steps" mb="sm">
        First steps
      </Title>
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ words, to, done }, place) => (
          <Group key={to} component="li" gap="sm" wrap="nowrap">
            <ThemeIcon variant={done ? 'filled' : 'default'} color="green.9" radius="xl" size={24} aria-hidden>
              {done ? <IconCheck size={14} /> : <Text size="xs">{place + 1}</Text>}
            </ThemeIcon>
            {done ? (
              <Text c="dimmed" td="line-through">
                {words}
                <VisuallyHidden> (done)</VisuallyHidden>
              </Text>
            ) : (
              <Anchor component={Link} to={to}>
                {words}
              </Anchor>
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}
