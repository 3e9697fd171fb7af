import { Alert, type AlertProps, Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { Moment } from '../../ui/display/Moment.tsx'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import type { AttentionPoint } from './standingPoints.ts'

/** Everything that stops work or will stop it soon. `emptyText`: shown when there is nothing. */
export function Attention({ points, emptyText }: { points: readonly AttentionPoint[]; emptyText: string }) {
  return (
    <section aria-labelledby="attention">
      <Title order={2} id="attention" mb="xs">
        Needs attention
      </Title>
      {points.length === 0 ? (
        <Text c="dimmed">{emptyText}</Text>
      ) : (
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {points.map((point) => (
            <li key={point.id}>
              <AttentionAlert point={point} />
            </li>
          ))}
        </Stack>
      )}
    </section>
  )
}

/** One fault or warning, with a link to its page unless that is open. `alert`: further properties of Mantine's `Alert`. */
export function AttentionAlert({ point: { title, detail, severity, to, at }, ...alert }: { point: AttentionPoint } & AlertProps) {
  const { pathname } = useLocation()
  return (
    <Alert color={severity === 'stops' ? 'red' : 'orange'} icon={<IconAlertTriangle aria-hidden />} py="xs" {...alert}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} flex="1 1 160px">
          <Text span fw={600} inherit>
            <bdi>
              <WordBreaks text={title} />
            </bdi>
          </Text>
          {at !== undefined && (
            <>
              : <Moment at={at} />
            </>
          )}
          {detail !== '' && <>. {detail}</>}
        </Text>
        {pathname !== to && (
          <Anchor component={Link} to={to} size="sm" c="inherit" td="underline" aria-label={`Open: ${title}`}>
            Open
          </Anchor>
        )}
      </Group>
    </Alert>
  )
}
