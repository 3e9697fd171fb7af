import { Anchor, Group, Stack, Text } from '@mantine/core'
import { IconBan, IconPencil, IconRefresh } from '@tabler/icons-react'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { type BadgeColor, TextBadge } from '../../ui/display/TextBadge.tsx'
import { LinkFromList } from '../../ui/layout/LinkToList.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { RowMenu } from '../../ui/table/RowMenu.tsx'
import { hintLabels } from './keyLabels.ts'
import type { KeyRow } from './keyQueries.ts'
import { Scopes } from './Scopes.tsx'
import { SpendToday } from './SpendToday.tsx'

export type KeyAction = 'edit' | 'rotate' | 'revoke'

export function KeyTable({ rows, onAct }: { rows: readonly KeyRow[]; onAct(action: KeyAction, row: KeyRow): void }) {
  return <DataTable label="API keys" rows={rows} keyOf={({ id }) => id} columns={[...columns, keyActions(onAct)]} />
}

const columns: Column<KeyRow>[] = [
  { name: 'Key', width: '24%', cell: (row) => <KeyName row={row} /> },
  { name: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} />, priority: 'low' },
  { name: 'State', cell: (row) => <KeyState row={row} /> },
  { name: 'Spent today', cell: (row) => <SpendToday {...row} /> },
  { name: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} otherwise="never" /> },
  { name: 'Issued by', cell: ({ issuedBy, createdAt }) => <Issuer name={issuedBy.name} at={createdAt} />, priority: 'low' },
]

/** The row menu of a key, in all lists of keys. */
export function keyActions<Row extends KeyRow>(onAct: (action: KeyAction, row: Row) => void): Column<Row> {
  return {
    name: 'Actions',
    hiddenName: true,
    align: 'right',
    cell: (row) => (
      <RowMenu
        name={row.name}
        actions={[
          { label: 'Edit', icon: IconPencil, onClick: () => onAct('edit', row) },
          { label: 'Rotate', icon: IconRefresh, onClick: () => onAct('rotate', row), disabled: row.state !== 'LIVE' },
          { label: 'Revoke', icon: IconBan, onClick: () => onAct('revoke', row), destructive: true, disabled: row.state === 'REVOKED' },
        ]}
      />
    ),
  }
}

function KeyName({ row: { id, name, prefix, previousPrefix, previousValueEndsAt, hints } }: { row: KeyRow }) {
  const { id: team } = useTeam()
  const shown = hints.filter((hint) => hint !== 'ENDS_SOON')
  return (
    <Stack gap={2} miw={170}>
      <Anchor
        component={LinkFromList}
        to={paths.key(team, id)}
        size="sm"
        fw={500}
        lineClamp={2}
        title={name}
        style={{ overflowWrap: 'anywhere' }}
      >
        <bdi>{name}</bdi>
      </Anchor>
      <Text size="xs" c="dimmed" ff="monospace">
        {prefix}…
      </Text>
      {previousValueEndsAt !== null && (
        <Note wrap>
          <Text span inherit ff="monospace">
            {previousPrefix}…
          </Text>{' '}
          until <Moment at={previousValueEndsAt} />
        </Note>
      )}
      {shown.length > 0 && (
        <Group gap={4} mt={2}>
          {shown.map((hint) => (
            <Hint key={hint} {...hintLabels[hint]} />
          ))}
        </Group>
      )}
    </Stack>
  )
}

/** A label for what needs attention; the rest is quiet text. */
function Hint({ word, color }: { word: string; color: BadgeColor }) {
  return color === 'gray' ? <Note>{word}</Note> : <TextBadge word={word} color={color} />
}

/** The state of a key and when it changes. */
export function KeyState({ row }: { row: Pick<KeyRow, 'state' | 'expiresAt' | 'revokedAt' | 'hints'> }) {
  const { state, expiresAt, revokedAt, hints } = row
  return (
    <Stack gap={3} align="flex-start" miw={96}>
      <StateBadge state={state === 'LIVE' ? (hints.includes('ENDS_SOON') ? 'EXPIRING' : 'ACTIVE') : state} />
      {state === 'REVOKED' ? (
        <Note>
          <Moment at={revokedAt} />
        </Note>
      ) : (
        expiresAt !== null && (
          <Note>
            {state === 'LIVE' ? 'until ' : ''}
            <Moment at={expiresAt} />
          </Note>
        )
      )}
    </Stack>
  )
}

function Note({ children, wrap = false }: { children: React.ReactNode; wrap?: boolean }) {
  return (
    <Text size="xs" c="dimmed" style={{ whiteSpace: wrap ? undefined : 'nowrap' }}>
      {children}
    </Text>
  )
}

function Issuer({ name, at }: { name: string; at: string }) {
  return (
    <Stack gap={2} maw={160}>
      <Text size="sm" truncate title={name}>
        <bdi>{name}</bdi>
      </Text>
      <Note>
        <Moment at={at} />
      </Note>
    </Stack>
  )
}
