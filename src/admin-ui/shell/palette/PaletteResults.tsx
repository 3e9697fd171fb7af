import { Text } from '@mantine/core'
import { useRef } from 'react'
import { Moment } from '../../ui/display/Moment.tsx'
import classes from './CommandPalette.module.css'
import type { PaletteGroup, PaletteItem } from './paletteGroups.ts'

/** The id of an option, which the field names while it is active. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`
}

type PaletteResultsProps = {
  groups: readonly PaletteGroup[]
  list: string
  current: number
  onChoose(item: PaletteItem): void
  onActive(index: number): void
}

/** The results as options of the combobox. The focus stays in the field. */
export function PaletteResults({ groups, list, current, onChoose, onActive }: PaletteResultsProps) {
  const starts = groups.map((_, nth) => groups.slice(0, nth).reduce((sum, { items }) => sum + items.length, 0))
  return (
    <div id={list} role="listbox" aria-label="Results" className={groups.length > 0 ? classes.list : undefined}>
      {groups.map(({ name, items }, nth) => (
        <div key={name} role="group" aria-label={name}>
          <Text size="xs" fw={500} c="dimmed" px={10} pt={8} pb={2} aria-hidden>
            {name}
          </Text>
          {items.map((item, place) => {
            const index = (starts[nth] ?? 0) + place
            return (
              <Option
                key={item.to}
                id={optionId(list, index)}
                item={item}
                isActive={index === current}
                onChoose={() => onChoose(item)}
                onActive={() => onActive(index)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

type OptionProps = { id: string; item: PaletteItem; isActive: boolean; onChoose(): void; onActive(): void }

function Option({ id, item: { label, detail, at }, isActive, onChoose, onActive }: OptionProps) {
  const shown = useRef(false)
  const scrollTo = (element: HTMLElement | null) => {
    if (isActive && !shown.current) element?.scrollIntoView({ block: 'nearest' })
    shown.current = isActive
  }
  return (
    <div
      ref={scrollTo}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={classes.option}
      onClick={onChoose}
      onKeyDown={({ key }) => key === 'Enter' && onChoose()}
      onMouseMove={onActive}
    >
      <span className={classes.label}>
        <bdi>{label}</bdi>
      </span>
      <Text span size="xs" c="dimmed" className={classes.detail}>
        {detail}
        {at !== undefined && (
          <>
            {detail ? ' · ' : ''}
            <Moment at={at} />
          </>
        )}
      </Text>
    </div>
  )
}
