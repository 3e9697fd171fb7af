import { Button } from '@mantine/core'

type SaveButtonProps = {
  /** What it saves, so that the buttons of a page differ: `Save retention`. */
  children: string
  busy: boolean
  isChanged: boolean
}

/** Submits a form that stays on the page. Without a change it does nothing, and keeps the focus that a disabled button would lose. */
export function SaveButton({ children, busy, isChanged }: SaveButtonProps) {
  return (
    <Button
      type="submit"
      loading={busy}
      data-disabled={!isChanged || undefined}
      aria-disabled={!isChanged || undefined}
      onClick={(event) => {
        if (!isChanged) event.preventDefault()
      }}
    >
      {children}
    </Button>
  )
}
