import { Anchor, Badge, Box, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import { CopyableId } from '../../ui/display/CopyableId.tsx'
import { Countdown } from '../../ui/display/Countdown.tsx'
import { formatDuration } from '../../ui/display/formatDuration.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import type { Attempt, FullDelivery } from './deliveriesQuery.ts'
import { deliveryName, kindNames } from './deliveryNames.ts'
import { explainReply, outcomeOf, showReply } from './explainReply.ts'
import { SendAgain } from './SendAgain.tsx'

/** The details of a delivery. Replies of receivers are rendered as plain text. */
export function DeliveryDetails({ delivery, onChanged }: { delivery: FullDelivery; onChanged(): void }) {
  const { event, eventNumber, isTest, state, attemptLog, payload, responseSnippet } = delivery
  const { happened, means } = explainReply(delivery)
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Group gap="xs">
          <Text ff="monospace" fw={500}>
            {deliveryName(event)}
          </Text>
          <Text c="dimmed" className="tabular">
            #{eventNumber}
          </Text>
          <StateBadge state={state} />
          {isTest && <Badge variant="default">Test</Badge>}
        </Group>
        <Facts delivery={delivery} />
        <SendAgain delivery={delivery} onSent={onChanged} />
      </Stack>
      <Section title="Attempts">
        <NextAttempt delivery={delivery} />
        <AttemptList attempts={attemptLog} />
      </Section>
      <Section title="Response">
        <Text>{happened}</Text>
        {means !== undefined && <Text c="dimmed">{means}</Text>}
        {responseSnippet !== null && <CodeBlock label="First bytes of the answer" wrap code={showReply(responseSnippet)} />}
      </Section>
      <CodeBlock label="Payload" heading code={JSON.stringify(payload, null, 2)} />
    </Stack>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs" component="section">
      <Title order={3}>{title}</Title>
      {children}
    </Stack>
  )
}

function Facts({ delivery: { id, kind, time, generationId, address } }: { delivery: FullDelivery }) {
  const team = useTeam()
  const facts: [name: string, value: ReactNode][] = [
    [
      kindNames[kind],
      <Mono key="webhook">
        <WordBreaks text={address} />
      </Mono>,
    ],
    ['Event of', <Moment key="time" at={time} />],
    ['Identifier', <CopyableId key="id" name="delivery ID" id={id} />],
  ]
  if (generationId !== null) {
    const link = (
      <Anchor key="generation" component={Link} size="sm" to={paths.screen(team.id, 'history', { generation: generationId })}>
        <Mono>{generationId}</Mono>
      </Anchor>
    )
    facts.push(['Generation', link])
  }
  return (
    <dl style={{ display: 'grid', gridTemplateColumns: 'max-content minmax(0, 1fr)', gap: '4px 16px', margin: 0 }}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  )
}

function Mono({ children }: { children: ReactNode }) {
  return (
    <Text span ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  )
}

/** The countdown to the next attempt, if there is one. */
function NextAttempt({ delivery: { state, kind, nextAttemptAt, subscription, alertSubscription } }: { delivery: FullDelivery }) {
  if (nextAttemptAt === null) return null
  if ((subscription ?? alertSubscription)?.paused) {
    return <Text>The {kindNames[kind].toLowerCase()} is paused. The delivery waits until it is resumed.</Text>
  }
  return (
    <Text>
      {state === 'PENDING' ? 'It is sent ' : 'The next attempt is '}
      <Countdown to={nextAttemptAt} /> (<Moment at={nextAttemptAt} />
      ).
    </Text>
  )
}

/** The attempts, latest first: time, duration and outcome. */
function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <Text c="dimmed">No attempt has ended yet.</Text>
  return (
    <Box component="ol" aria-label="Attempts" reversed m={0} p={0} style={{ listStyle: 'none' }}>
      {attempts.toReversed().map((attempt) => (
        <Group
          component="li"
          key={attempt.number}
          gap="sm"
          py={6}
          align="baseline"
          wrap="nowrap"
          style={{ borderTop: '1px solid var(--atelier-border)' }}
        >
          <Text size="sm" c="dimmed" className="tabular" w={24}>
            {attempt.number}
          </Text>
          <Text size="sm" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            {outcomeOf(attempt)}
          </Text>
          <Text size="xs" c="dimmed" className="tabular" style={{ whiteSpace: 'nowrap' }}>
            {formatDuration(attempt.durationSeconds)}
          </Text>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            <Moment at={attempt.time} />
          </Text>
        </Group>
      ))}
    </Box>
  )
}
