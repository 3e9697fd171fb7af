import { useEffect, useRef, useState } from 'react'

const copiedForMs = 2000

/** Copies text to the clipboard. `copied` is true for two seconds after a copy. `copy` returns false when the browser refuses. */
export function useCopy(): { copied: boolean; copy(text: string): Promise<boolean> } {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async (text: string) => {
    const done = await writeText(text)
    if (!done) return false
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), copiedForMs)
    return true
  }
  return { copied, copy }
}

/** The clipboard API needs a secure origin (https or localhost). `execCommand('copy')` also works over http. */
async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement
  // An open dialog traps the focus, so the field must be inside it.
  ;(document.querySelector('[role="dialog"]') ?? document.body).append(field)
  field.select()
  // `execCommand` is deprecated, but the only way without the clipboard API.
  const legacyDocument: { execCommand(command: string): boolean } = document
  const done = legacyDocument.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return done
}
