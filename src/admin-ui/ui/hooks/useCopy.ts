import { useEffect, useRef, useState } from 'react'

const copiedForMs = 2000

/** Copies a text. `copied` is true for a moment afterwards; `copy` returns false when the browser refuses. */
export function useCopy(): { copied: boolean; copy(text: string): Promise<boolean> } {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async (text: string) => {
    const done = await write(text)
    if (!done) return false
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), copiedForMs)
    return true
  }
  return { copied, copy }
}

/** The clipboard API needs a secure origin. The old command also works on plain http. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return writeFromSelection(text)
  }
}

function writeFromSelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const before = document.activeElement
  // Inside an open dialog, because it traps the focus.
  ;(document.querySelector('[role="dialog"]') ?? document.body).append(field)
  field.select()
  // Deprecated, but the only way without the clipboard API.
  const older: { execCommand(command: string): boolean } = document
  const done = older.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
