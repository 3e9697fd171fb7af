import { Button, Group } from '@mantine/core'

/** The end of a form in a dialog. */
export function FormButtons({
  submit,
  busy,
  disabled = false,
  onCancel,
}: {
  /** What it does: `Add`, `Save`. */
  submit: string
  busy: boolean
  disabled?: boolean
  onCancel(): void
}) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={busy} disabled={disabled}>
        {submit}
      </Button>
    </Group>
  )
}
