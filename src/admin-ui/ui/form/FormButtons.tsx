import { Button, Group } from '@mantine/core'

/** The end of a form in a dialog. */
export function FormButtons({
  submit,
  busy,
  disabled = false,
  onCancel,
  stay = false,
}: {
  /** What it does: `Add`, `Save`. */
  submit: string
  busy: boolean
  disabled?: boolean
  onCancel(): void
  /** While what was asked must not be called off: its answer would be lost. */
  stay?: boolean
}) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel} disabled={stay}>
        Cancel
      </Button>
      <Button type="submit" loading={busy} disabled={disabled}>
        {submit}
      </Button>
    </Group>
  )
}
