import { useEffect, useEffectEvent } from 'react'

export type RowShortcutOptions = {
  /** The identifiers of the rows, in their order. Each stands as `data-row` within the control that opens its row. */
  ids: readonly string[]
  /** The row whose panel is open, which then follows. */
  openId: string | undefined
  onOpen(id: string): void
  /** Asked for a row below the last one. */
  onEnd(): void
}

/** J and K go through the rows, down and up. Enter opens one, since what has the focus is its button. */
export function useRowShortcuts({ ids, openId, onOpen, onEnd }: RowShortcutOptions): void {
  const move = useEffectEvent((by: 1 | -1) => {
    const current = openId ?? document.activeElement?.closest('a, button')?.querySelector<HTMLElement>('[data-row]')?.dataset['row']
    const index = current === undefined ? -1 : ids.indexOf(current)
    const next = ids[index === -1 ? 0 : index + by]
    if (next === undefined) return by === 1 ? onEnd() : undefined
    if (openId === undefined) focusRow(next)
    else onOpen(next)
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const by = { j: 1, k: -1 }[event.key.toLowerCase()]
      if (by === undefined) return
      event.preventDefault()
      move(by === 1 ? 1 : -1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** Gives the focus to the control that opens the row. */
export function focusRow(id: string): void {
  const control = document.querySelector(`[data-row="${CSS.escape(id)}"]`)?.closest<HTMLElement>('a, button')
  control?.focus()
  control?.scrollIntoView({ block: 'nearest' })
}

/** Letters belong to whoever writes, and to lists that search by them. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role="listbox"], [role="menu"]')) return true
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
