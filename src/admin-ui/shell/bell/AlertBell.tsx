import { ActionIcon, Anchor, Group, Indicator, Popover, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useQuery } from 'urql'
import { type CurrentTeam, useTeam, useViewer } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import classes from './AlertBell.module.css'
import { AlertsQuery, alertPage, alertTitle, type TeamAlert } from './alertWords.ts'
import { useSeenAlerts } from './useSeenAlerts.ts'

const refreshSeconds = 60

/** Lists the last alerts of the team. Those since the last look count as unread. Contract: docs/contract.md#pages. */
export function AlertBell() {
  const team = useTeam()
  const { id: userId } = useViewer()
  const { isUnread, markSeen } = useSeenAlerts({ userId, teamId: team.id })
  const [{ data }, refetch] = useQuery({ query: AlertsQuery, variables: { team: team.id }, requestPolicy: 'cache-and-network' })
  usePollWhileVisible(refreshSeconds, async () => refetch({ requestPolicy: 'network-only' }))
  const [opened, setOpened] = useState(false)
  // The marks of what was unread stay while the list is open.
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const alerts = data?.team?.alerts ?? []
  const unread = alerts.filter(isUnread)
  const change = (opens: boolean) => {
    setOpened(opens)
    if (!opens) return
    setFresh(new Set(unread.map(({ id }) => id)))
    const [newest] = alerts
    if (newest) markSeen(newest)
  }
  return (
    <>
      <Popover opened={opened} onChange={change} width={360} position="bottom-end" trapFocus returnFocus withinPortal shadow="md">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={unread.length === 0 ? 'Alerts' : `Alerts, ${unread.length} unread`}
            onClick={() => change(!opened)}
            // The list takes the focus, and with it Escape, only a moment after it opened.
            onKeyDown={({ key }) => {
              if (key === 'Escape') setOpened(false)
            }}
          >
            <Indicator disabled={unread.length === 0} color="red" size={8} offset={3}>
              <IconBell size={18} stroke={1.6} aria-hidden />
            </Indicator>
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p={0} aria-label="Alerts" maw="calc(100vw - 16px)" bg="var(--atelier-surface)">
          <AlertList {...{ team, alerts, fresh }} onOpened={() => setOpened(false)} />
        </Popover.Dropdown>
      </Popover>
      <VisuallyHidden role="status">
        {unread[0] && `${unread.length} unread ${unread.length === 1 ? 'alert' : 'alerts'}: ${alertTitle(unread[0])}`}
      </VisuallyHidden>
    </>
  )
}

type AlertListProps = { team: CurrentTeam; alerts: readonly TeamAlert[]; fresh: ReadonlySet<string>; onOpened(): void }

function AlertList({ team, alerts, fresh, onOpened }: AlertListProps) {
  return (
    <>
      <Group justify="space-between" px="md" py="sm" className={classes.head}>
        <Title order={2} size="h3">
          Alerts
        </Title>
        <Anchor component={Link} to={paths.screen(team.id, 'webhooks')} size="sm" onClick={onOpened}>
          Set up alerts
        </Anchor>
      </Group>
      {alerts.length === 0 ? (
        <Text c="dimmed" size="sm" p="md">
          No alerts in 30 days. Low credits, keys near a ceiling or their end, failing webhooks and an ending plan appear here.
        </Text>
      ) : (
        <Stack component="ul" gap={0} className={classes.list}>
          {alerts.map((alert) => (
            <li key={alert.id}>
              <Link to={alertPage(team.id, alert)} className={classes.alert} onClick={onOpened}>
                <AlertText alert={alert} isFresh={fresh.has(alert.id)} />
              </Link>
            </li>
          ))}
        </Stack>
      )}
    </>
  )
}

function AlertText({ alert, isFresh }: { alert: TeamAlert; isFresh: boolean }) {
  return (
    <>
      <Text span size="sm" fw={isFresh ? 600 : 400} className={classes.title ?? ''}>
        {isFresh && <VisuallyHidden>Unread: </VisuallyHidden>}
        <bdi>{alertTitle(alert)}</bdi>
        {alert.endsAt !== null && (
          <>
            : <Moment at={alert.endsAt} />
          </>
        )}
      </Text>
      <Text span size="xs" c="dimmed">
        <Moment at={alert.raisedAt} />
      </Text>
    </>
  )
}
