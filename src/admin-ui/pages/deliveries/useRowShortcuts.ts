import { useEffect, useEffectEvent } from 'react'

export type RowShortcutOptions = {
  /** The row identifiers, in order. Each row has its identifier as `data-row` in the control that opens it. */
  ids: readonly string[]
  /** The row of the open panel, which follows the selection. */
  openId: string | undefined
  onOpen(id: string): void
  /** Called when the user moves below the last row. */
  onEnd(): void
}

/** J and K move down and up. Enter opens a row, because its button has the focus. */
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

/** Focuses the control that opens the row. */
export function focusRow(id: string): void {
  const control = document.querySelector(`[data-row="${CSS.escape(id)}"]`)?.closest<HTMLElement>('a, button')
  control?.focus()
  control?.scrollIntoView({ block: 'nearest' })
}

/** True for inputs and listboxes, where letters have another meaning. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role="listbox"], [role="menu"]')) return true
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
