import { Alert, Box, Button, Code, Group, Paper, Text, Title } from '@mantine/core'
import { IconInfoCircle, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useOptionalTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { askOperatorTo } from '../../ui/feedback/askOperator.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { AgentKeys } from './AgentKeys.tsx'
import { PersonalAccountQuery } from './agentQueries.ts'
import { Configurations } from './Configurations.tsx'
import { IssueAgentKeyDialog } from './IssueAgentKeyDialog.tsx'

/** A person's own agents: their credits, their keys, and their configuration. Contract: docs/contract.md#pages. */
export function AgentsPage() {
  const team = useOptionalTeam()
  const [{ data, error }, refetch] = useQuery({ query: PersonalAccountQuery, requestPolicy: 'cache-and-network' })
  const [isIssuing, setIssuing] = useState(false)
  const account = data?.viewer.user
  const mayHoldKeys = account?.subscriptionActive ?? false
  const issue = () => setIssuing(true)
  return (
    <>
      <PageHeading
        title="Agents"
        description={descriptions.agents}
        actions={
          mayHoldKeys && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={issue}>
              Issue agent key
            </Button>
          )
        }
      />
      {error && !account && (
        <Box mb="xl">
          <ErrorNotice
            title="Your account could not be loaded"
            failure={failureOf(error)}
            onRetry={() => refetch({ requestPolicy: 'network-only' })}
          />
        </Box>
      )}
      {!account && !error && <BlockSkeleton height={96} />}
      {account && !mayHoldKeys && <NoSubscription />}
      {account && <PersonalBalance account={account.account} team={team} />}
      <AgentKeys onIssue={mayHoldKeys ? issue : undefined} />
      <ConnectAgent />
      <IssueAgentKeyDialog opened={isIssuing} onClose={() => setIssuing(false)} team={team} />
    </>
  )
}

/** Why the person cannot have a key, and who can help. */
function NoSubscription() {
  return (
    <Alert color="gray" variant="light" icon={<IconInfoCircle size={18} aria-hidden />} title="Your subscription is not active" mb="lg">
      <Text size="sm">
        Agent keys need an active subscription. {askOperatorTo('activate yours')} Then reload this page. Until then your existing keys are
        refused.
      </Text>
    </Alert>
  )
}

/** How to configure common agents for this service. */
function ConnectAgent() {
  return (
    <Paper
      component="section"
      aria-label="Connect an agent"
      withBorder
      radius="lg"
      p={{ base: 'md', sm: 'lg' }}
      bg="var(--atelier-surface)"
    >
      <Title order={2} mb={4}>
        Connect an agent
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="80ch">
        Agents connect over MCP (Streamable HTTP) to <Code>{`${location.origin}/mcp`}</Code> and send the key as a bearer token. Replace{' '}
        <Code>atl_YOUR_AGENT_KEY</Code> with your key. A new key is already filled in.
      </Text>
      <Configurations />
    </Paper>
  )
}

type PersonalBalanceProps = {
  account: { creditsAvailable: number; creditsHeld: number }
  team: { name: string } | null
}

/** The personal credits, which agents spend in any team. */
function PersonalBalance({ account: { creditsAvailable, creditsHeld }, team }: PersonalBalanceProps) {
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
