import { Box, Group, Paper, Text, Title } from '@mantine/core'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { askOperatorTo } from '../../ui/feedback/askOperator.ts'

type PersonalBalanceProps = {
  account: { creditsAvailable: number; creditsHeld: number }
  team: { name: string } | null
}

/** The personal credits, which agents spend in any team. */
export function PersonalBalance({ account: { creditsAvailable, creditsHeld }, team }: PersonalBalanceProps) {
  return (
    <Paper component="section" aria-label="Personal balance" withBorder radius="lg" p="md" mb="xl" bg="var(--atelier-surface)">
      <Title order={2} mb="xs">
        Personal balance
      </Title>
      <Group gap="xl" align="flex-start" style={{ rowGap: 8 }}>
        <Group component="dl" gap="xl" m={0}>
          <Amount name="Available" amount={creditsAvailable} />
          <Amount name="Held by running work" amount={creditsHeld} />
        </Group>
        <Text size="sm" c="dimmed" maw="56ch" flex="1 1 260px">
          {team
            ? `Your agents spend these credits, never those of ${team.name}. Their generations are in the team’s history.`
            : 'Your agents spend these credits. Their generations are in your own history.'}
          {creditsAvailable === 0 && ` You have no credits at the moment. ${askOperatorTo('add some')}`}
        </Text>
      </Group>
    </Paper>
  )
}

function Amount({ name, amount }: { name: string; amount: number }) {
  return (
    <Box>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fz="lg" fw={600} className="tabular">
        {formatCredits(amount)}
      </Text>
    </Box>
  )
}
