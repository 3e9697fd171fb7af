import { useEffect, useRef, useState } from 'react'

const copiedForMs = 2000

/** Copies a text. `copied` holds for a moment afterwards; `copy` gives false where the browser would not. */
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

/** The clipboard is for secure origins; on plain http in a closed network the old command still works. */
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
  // Inside the dialog, if one is open: it keeps the focus to itself.
  ;(document.querySelector('[role="dialog"]') ?? document.body).append(field)
  field.select()
  // Deprecated, and the only way there.
  const older: { execCommand(command: string): boolean } = document
  const done = older.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
