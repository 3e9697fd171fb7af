import { Anchor, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Credits, formatCredits } from '../../ui/display/Credits.tsx'
import { formatDay } from '../../ui/display/days.ts'
import { paceText } from './creditsPace.ts'
import type { OverviewTeam } from './overviewQuery.ts'

/** Credits, the spend of 30 days and the active work. A team without generations sees only its credits, if it has any. */
export function OverviewCards({ team }: { team: OverviewTeam }) {
  const { account, generations, usage, workUnderWay } = team
  const open = workUnderWay.queued + workUnderWay.running + workUnderWay.finalizing
  const isNew = open === 0 && generations.nodes.length === 0 && usage.every((day) => day.generations === 0)
  if (isNew && account.creditsAvailable === 0) return null
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
      <Card title="Credits" link={{ to: paths.screen(team.id, 'team'), words: 'Statement' }}>
        <Figure>
          <Credits amount={account.creditsAvailable} unit /> available
        </Figure>
        {!isNew && <Text c="dimmed">{paceText(team)}</Text>}
      </Card>
      {!isNew && <WorkCards team={team} />}
    </SimpleGrid>
  )
}

function WorkCards({ team: { id, account, usage, workUnderWay } }: { team: OverviewTeam }) {
  const spent = usage.reduce((sum, day) => sum + day.creditsCharged, 0)
  const generations = usage.reduce((sum, day) => sum + day.generations, 0)
  const failed = usage.reduce((sum, day) => sum + day.failed, 0)
  const open = workUnderWay.queued + workUnderWay.running + workUnderWay.finalizing
  return (
    <>
      <Card title="Last 30 days" link={{ to: paths.screen(id, 'usage'), words: 'Usage' }}>
        <Figure>
          <Credits amount={Math.round(spent * 100) / 100} unit /> spent
        </Figure>
        <SpendBars usage={usage} />
        <Text c="dimmed">
          {generations === 1 ? '1 generation' : `${generations.toLocaleString()} generations`}
          {failed > 0 && `, ${failed.toLocaleString()} failed at no cost`}
        </Text>
      </Card>
      <Card title="Active work" link={{ to: paths.screen(id, 'history'), words: 'History' }}>
        <Figure>{open === 0 ? 'None' : `${open.toLocaleString()} ${open === 1 ? 'generation' : 'generations'}`}</Figure>
        <Text c="dimmed">
          {open === 0
            ? 'Nothing runs or waits.'
            : `${workUnderWay.running + workUnderWay.finalizing} running, ${workUnderWay.queued} waiting. ${formatCredits(account.creditsHeld)} on hold for them.`}
        </Text>
      </Card>
    </>
  )
}

function Figure({ children }: { children: ReactNode }) {
  return (
    <Text size="xl" fw={600} className="tabular">
      {children}
    </Text>
  )
}

/** Aligns the links at the bottom of cards with different contents. */
const column = { flexDirection: 'column' } as const

function Card({ title, link, children }: { title: string; link: { to: string; words: string }; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title} bg="var(--atelier-surface)" display="flex" style={column}>
      <Title order={2} size="sm" c="dimmed" fw={500} mb={6}>
        {title}
      </Title>
      {children}
      <Anchor component={Link} to={link.to} size="sm" mt="auto" pt="sm" style={{ alignSelf: 'flex-start' }}>
        {link.words}
      </Anchor>
    </Paper>
  )
}

const barsHeight = 40

/** The spend by day. The page Usage has the same numbers as a table. */
function SpendBars({ usage }: { usage: OverviewTeam['usage'] }) {
  const most = Math.max(...usage.map(({ creditsCharged }) => creditsCharged), 0)
  if (most === 0) return null
  return (
    <svg
      role="img"
      aria-label="Credits spent by day"
      viewBox={`0 0 ${usage.length * 8} ${barsHeight}`}
      preserveAspectRatio="none"
      style={{ display: 'block', width: '100%', height: barsHeight, margin: '6px 0' }}
    >
      {usage.map(({ day, creditsCharged }, place) => {
        const tall = creditsCharged === 0 ? 1 : Math.max(2, (creditsCharged / most) * barsHeight)
        const fill = creditsCharged === 0 ? 'var(--atelier-border)' : 'var(--atelier-series-1)'
        return (
          <rect key={day} x={place * 8} y={barsHeight - tall} width={6} height={tall} fill={fill}>
            <title>{`${formatDay(day)}: ${formatCredits(creditsCharged)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
