import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useOptionalTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { AgentKeys } from './AgentKeys.tsx'
import { PersonalAccountQuery } from './agentQueries.ts'
import { ConnectAgent } from './ConnectAgent.tsx'
import { IssueAgentKeyDialog } from './IssueAgentKeyDialog.tsx'
import { NoSubscription } from './NoSubscription.tsx'
import { PersonalBalance } from './PersonalBalance.tsx'

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
        description="An agent, such as Claude Code or Cursor, connects over MCP with a key of your own. It finds models, runs them in your name and shows you the results."
        actions={
          mayHoldKeys && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={issue}>
              Issue agent key
            </Button>
          )
        }
      />
      {error && (
        <ErrorNotice
          title="Your account could not be loaded"
          failure={failureOf(error)}
          onRetry={() => refetch({ requestPolicy: 'network-only' })}
        />
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
