import { Kbd, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { useOpenedAfterMount } from '../../ui/hooks/useOpenedAfterMount.ts'
import classes from './CommandPalette.module.css'
import { optionId, PaletteResults } from './PaletteResults.tsx'
import type { PaletteItem } from './paletteGroups.ts'
import { usePaletteSearch } from './usePaletteSearch.ts'

type CommandPaletteProps = {
  opened: boolean
  onClose(): void
  /** The text of the field. It may be typed before this code is loaded. */
  typed: string
  onType(text: string): void
}

/**
 * Finds pages, keys, webhooks, families, members and generations, and opens them. After a choice the focus goes to the opened page;
 * otherwise it returns to its origin. Contract: docs/contract.md#pages.
 */
export function CommandPalette({ opened, onClose, typed, onType }: CommandPaletteProps) {
  const [hasChosen, setChosen] = useState(false)
  // Not when it closes: Mantine would then move the focus from the page back to the origin.
  if (opened && hasChosen) setChosen(false)
  const navigate = useNavigate()
  const choose = ({ to }: PaletteItem) => {
    setChosen(true)
    onClose()
    void navigate(to)
  }
  return (
    <Modal
      opened={useOpenedAfterMount(opened)}
      onClose={onClose}
      onExitTransitionEnd={() => {
        if (hasChosen) focusPage()
      }}
      returnFocus={!hasChosen}
      title="Search"
      size={640}
      padding={0}
      centered={false}
      yOffset="10vh"
      styles={{ header: { padding: '10px 12px 4px 18px', minHeight: 0 } }}
    >
      <Search onChoose={choose} typed={typed} onType={onType} />
    </Modal>
  )
}

/** Moves the focus to the opened page, unless the page has taken it. A page that was already open, or still loads, does not. */
function focusPage(): void {
  const content = document.getElementById('content')
  if (content?.contains(document.activeElement)) return
  const heading = content?.querySelector<HTMLElement>('h1')
  ;(heading ?? content)?.focus({ preventScroll: true })
}

type SearchProps = Pick<CommandPaletteProps, 'typed' | 'onType'> & { onChoose(item: PaletteItem): void }

function Search({ onChoose, typed, onType }: SearchProps) {
  const [active, setActive] = useState(0)
  const list = useId()
  const { groups, isSearching, failure } = usePaletteSearch(typed)
  const items = groups.flatMap((group) => group.items)
  const current = Math.min(active, items.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const item = items[current]
    if (event.key === 'Enter' && item) onChoose(item)
    else if (event.key === 'ArrowDown') setActive((current + 1) % Math.max(1, items.length))
    else if (event.key === 'ArrowUp') setActive((current - 1 + items.length) % Math.max(1, items.length))
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        data-autofocus
        aria-label="Search pages, keys, webhooks, families, members and generations"
        placeholder="A page, a key, a family, a prompt …"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={items.length > 0}
        aria-controls={list}
        aria-activedescendant={items.length > 0 ? optionId(list, current) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={(event) => {
          onType(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        leftSection={<IconSearch size={18} aria-hidden />}
        size="md"
        px="sm"
        pb="sm"
      />
      {failure && <ErrorNotice title="The search failed" failure={failure} />}
      <PaletteResults {...{ groups, list, current, onChoose, onActive: setActive }} />
      <Outcome {...{ count: items.length, isSearching }} />
      <Keys />
    </>
  )
}

/** What the list shows, also for screen readers. */
function Outcome({ count, isSearching }: { count: number; isSearching: boolean }) {
  const words = isSearching ? 'Searching…' : count === 0 ? 'Nothing found' : `${count} ${count === 1 ? 'result' : 'results'}`
  return (
    <Text role="status" size="sm" c="dimmed" px={18} py={count === 0 || isSearching ? 10 : 0}>
      {count === 0 || isSearching ? words : <VisuallyHidden>{words}</VisuallyHidden>}
    </Text>
  )
}

function Keys() {
  return (
    <Text component="div" size="xs" c="dimmed" className={classes.keys}>
      <span>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> to move
      </span>
      <span>
        <Kbd size="xs">Enter</Kbd> to open
      </span>
      <span>
        <Kbd size="xs">Esc</Kbd> to close
      </span>
    </Text>
  )
}
