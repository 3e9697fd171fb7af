import { Group, Text, UnstyledButton } from '@mantine/core'
import { Moment } from '../../ui/display/Moment.tsx'
import { stateLabel } from '../../ui/display/StateBadge.tsx'
import classes from './HistoryGrid.module.css'
import type { HistoryTableProps } from './HistoryTable.tsx'
import { Preview } from './Preview.tsx'

/** The generations as pictures. */
export function HistoryGrid({ rows, selected, onOpen }: Pick<HistoryTableProps, 'rows' | 'selected' | 'onOpen'>) {
  return (
    <ul className={classes.grid} aria-label="Generations">
      {rows.map((row) => (
        <li key={row.generationId} className={classes.item} data-selected={row.generationId === selected || undefined}>
          <UnstyledButton className={classes.opener} onClick={() => onOpen(row)}>
            <Preview row={row} size={160} />
            <Text size="sm" lineClamp={2}>
              {row.prompt || row.familyId}
            </Text>
            <Group gap={6} c="dimmed" fz="xs">
              <span>{row.result?.deletedAt ? 'Result deleted' : stateLabel(row.state)}</span>
              <Moment at={row.createdAt} />
            </Group>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
