import { Alert, Stack, Table, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Moment } from '../../ui/display/Moment.tsx'
import { SidePanel } from '../../ui/layout/SidePanel.tsx'
import { actionLabel, actorLabel, fieldChanges } from './auditLabels.ts'
import type { AuditEntry } from './auditQuery.ts'
import { Subject } from './Subject.tsx'

/** The details of one entry beside the log. Closed without an entry, unless it `isMissing` in the loaded list. */
export function AuditPanel({ entry, isMissing, onClose }: { entry: AuditEntry | undefined; isMissing: boolean; onClose(): void }) {
  // Keeps the entry while the panel closes.
  const [last, setLast] = useState(entry)
  if (entry !== undefined && entry !== last) setLast(entry)
  const shown = isMissing ? undefined : last
  return (
    <SidePanel title="Entry" opened={entry !== undefined || isMissing} onClose={onClose}>
      {shown ? (
        <Details entry={shown} />
      ) : (
        <Alert color="gray" title="This entry is not in the list">
          <Text size="sm">It may be further down in the list, or hidden by the filters. Entries are kept for 400 days.</Text>
        </Alert>
      )}
    </SidePanel>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  const changes = fieldChanges(entry)
  return (
    <Stack gap="lg">
      <Text fw={500}>{actionLabel(entry.action)}</Text>
      <Facts entry={entry} />
      {changes.length > 0 && (
        <Stack gap="xs" component="section">
          <Title order={3}>Settings</Title>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Setting</Table.Th>
                <Table.Th scope="col">Before</Table.Th>
                <Table.Th scope="col">After</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(({ name, before, after }) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={400}>
                    {name}
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{before}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{after}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      )}
    </Stack>
  )
}

function Facts({ entry }: { entry: AuditEntry }) {
  const { time, actorId, subjectId, subjectName, address, userAgent, requestId } = entry
  const facts: [name: string, value: ReactNode][] = [
    ['Who', <WithId key="who" name={actorLabel(entry)} id={actorId} />],
    ['Subject', <WithId key="subject" name={<Subject entry={entry} />} id={subjectName === null ? null : subjectId} />],
    ['Time', <Moment key="time" at={time} exact />],
    ['From', address ?? 'not kept'],
    ['Browser or program', userAgent ?? 'not kept'],
    ['Request', <Mono key="request">{requestId ?? '–'}</Mono>],
  ]
  return (
    <dl style={{ display: 'grid', gridTemplateColumns: 'max-content minmax(0, 1fr)', gap: '4px 16px', margin: 0 }}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  )
}

function WithId({ name, id }: { name: ReactNode; id: string | null }) {
  if (id === null || id === name) return name
  return (
    <>
      {name} <Mono>{id}</Mono>
    </>
  )
}

function Mono({ children }: { children: string }) {
  return (
    <Text span ff="monospace" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  )
}
