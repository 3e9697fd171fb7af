import { ActionIcon, Button, Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, useEffect, useEffectEvent, useState } from 'react'
import { LazyPart } from '../../ui/feedback/LazyPart.tsx'
import { useEarlyText } from './useEarlyText.ts'

/** Loaded when it is first opened. */
const loadPalette = () => import('./CommandPalette.tsx')
/** A failure is shown when the palette is opened. */
const preloadPalette = () => void loadPalette().catch(() => undefined)
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }))

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** Opens the command palette, also with Ctrl+K or ⌘K. `compact`: an icon, in the top bar of small screens. */
export function PaletteButton({ compact = false }: { compact?: boolean }) {
  const [state, setState] = useState<'unused' | 'opened' | 'closed'>('unused')
  const [typed, setTyped] = useState('')
  const close = () => setState('closed')
  const open = () => {
    setTyped('')
    setState('opened')
  }
  useShortcut(state === 'opened', () => (state === 'opened' ? close() : open()))
  useEarlyText(state === 'opened', { onType: setTyped, onEscape: close })
  const shared = {
    'aria-keyshortcuts': 'Control+K Meta+K',
    'aria-haspopup': 'dialog',
    onClick: open,
    onMouseEnter: preloadPalette,
    onFocus: preloadPalette,
  } as const
  return (
    <>
      {compact ? (
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Search" {...shared}>
          <IconSearch size={18} aria-hidden />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          px={10}
          fw={400}
          c="dimmed"
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            <Kbd size="xs" aria-hidden className="keyboard-hint">
              {isApple ? '⌘ K' : 'Ctrl K'}
            </Kbd>
          }
          styles={{ label: { flex: 1 } }}
          {...shared}
        >
          Search
        </Button>
      )}
      {state !== 'unused' && (
        // Closed after a failure, so that keys act on the page again.
        <LazyPart onFailed={() => setState('unused')}>
          <CommandPalette {...{ opened: state === 'opened', onClose: close, typed, onType: setTyped }} />
        </LazyPart>
      )}
    </>
  )
}

/** Ctrl+K or ⌘K. The palette opens over panels, but not over a dialog. */
function useShortcut(opened: boolean, toggle: () => void): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || event.shiftKey || event.altKey || event.ctrlKey === event.metaKey) return
    event.preventDefault()
    if (opened || document.querySelector('.mantine-Modal-content') === null) toggle()
  })
  useEffect(() => {
    window.addEventListener('keydown', act)
    return () => window.removeEventListener('keydown', act)
  }, [])
}
