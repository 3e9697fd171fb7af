import { Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTeam } from '../../api/viewer.ts'
import { CopyableId } from '../../ui/display/CopyableId.tsx'
import { Credits, formatCredits } from '../../ui/display/Credits.tsx'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { TextBadge } from '../../ui/display/TextBadge.tsx'
import { askOperator, askOperatorTo } from '../../ui/feedback/askOperator.ts'
import { useNow } from '../../ui/hooks/useNow.ts'
import classes from './TeamCards.module.css'
import type { TeamFacts } from './teamQueries.ts'

/** Credits, plan and identifier of the team. */
export function TeamCards({ facts }: { facts: TeamFacts }) {
  const { id } = useTeam()
  const { creditsAvailable, creditsHeld } = facts.account
  return (
    <div className={classes.cards}>
      <Card title="Credits" badge={lowBadge(facts)}>
        <Text size="xl" fw={600}>
          <Credits amount={creditsAvailable} unit /> available
        </Text>
        <Text c="dimmed" mt={4}>
          {creditsHeld > 0 ? `${formatCredits(creditsHeld)} more held by running work. ` : 'Running work holds no credits. '}
          {creditsAvailable === 0 && askOperatorTo('add some')}
        </Text>
      </Card>
      <Plan facts={facts} />
      <Card title="For programs and support">
        <Text c="dimmed">Team ID</Text>
        <CopyableId name="team ID" id={id} />
      </Card>
    </div>
  )
}

/** A badge for credits below the threshold of the team. */
function lowBadge({ account: { creditsAvailable }, lowCreditsThreshold }: TeamFacts) {
  if (creditsAvailable === 0) return <TextBadge word="None left" color="red" />
  return lowCreditsThreshold !== null && creditsAvailable < lowCreditsThreshold ? <TextBadge word="Low" color="orange" /> : undefined
}

const dayMs = 86_400_000
/** A plan that ends within these days is a warning. */
const planDays = 14

/** Whether keys of the team work, until when, and what to do if not. */
function Plan({ facts: { planExpiresAt, limits } }: { facts: TeamFacts }) {
  const now = useNow()
  const [first] = limits
  const endsSoon = planExpiresAt !== null && Date.parse(planExpiresAt) - now < planDays * dayMs
  const term = planExpiresAt === null ? 'Without end' : <Until at={planExpiresAt} words="Until" />
  switch (first?.kind) {
    case 'TEAM_BLOCKED':
      return (
        <Card title="Plan" badge={<StateBadge state="BLOCKED" />}>
          <Words strong="This team is blocked">Every start and every result link is refused. {askOperator}</Words>
        </Card>
      )
    case 'ACCESS_CLOSED':
      return (
        <Card title="Plan" badge={<TextBadge word="Closed" color="red" />}>
          <Words strong="External access is switched off">No key and no result link of this team works. {askOperator}</Words>
        </Card>
      )
    case 'PLAN_ENDED':
      return (
        <Card title="Plan" badge={<TextBadge word="Ended" color="red" />}>
          <Words strong={<Until at={planExpiresAt} words="The plan ended" />}>
            Every request with a key is refused until it is extended. {askOperator}
          </Words>
        </Card>
      )
    default:
      return (
        <Card title="Plan" badge={endsSoon ? <TextBadge word="Ends soon" color="orange" /> : <StateBadge state="ACTIVE" />}>
          <Words strong={term}>Keys of this team work.</Words>
        </Card>
      )
  }
}

function Until({ at, words }: { at: string | null; words: string }) {
  return (
    <>
      {words} <Moment at={at} />
    </>
  )
}

function Words({ strong, children }: { strong: ReactNode; children: ReactNode }) {
  return (
    <>
      <Text size="xl" fw={600}>
        {strong}
      </Text>
      <Text c="dimmed" mt={4}>
        {children}
      </Text>
    </>
  )
}

function Card({ title, badge, children }: { title: string; badge?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb={6} wrap="nowrap">
        <Title order={2} size="sm" c="dimmed" fw={500}>
          {title}
        </Title>
        {badge}
      </Group>
      {children}
    </Paper>
  )
}
