import { useEffect, useEffectEvent } from 'react'
import { isInDialog } from '../../ui/isInDialog.ts'

type EarlyText = { onType(change: (text: string) => string): void; onEscape(): void }

/** Collects what a person types after the palette was asked for and before its field has the focus. */
export function useEarlyText(isOpened: boolean, { onType, onEscape }: EarlyText): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event
    if (isInDialog(target) || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Escape') onEscape()
    else if (key === 'Backspace') onType((text) => text.slice(0, -1))
    else if (key.length === 1) onType((text) => text + key)
    else return
    // The key would also act on what had the focus before.
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    if (!isOpened) return undefined
    window.addEventListener('keydown', act, { capture: true })
    return () => window.removeEventListener('keydown', act, { capture: true })
  }, [isOpened])
}
