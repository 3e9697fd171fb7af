import { Button, Group } from '@mantine/core'
import classes from './FormButtons.module.css'

/** The buttons of a form in a dialog. */
export function FormButtons({
  submit,
  busy,
  disabled = false,
  onCancel,
  stay = false,
}: {
  /** The label of the submit button: `Add`, `Save`. */
  submit: string
  busy: boolean
  disabled?: boolean
  onCancel(): void
  /** Disables cancelling while a request runs whose answer must not be lost. */
  stay?: boolean
}) {
  return (
    <Group justify="flex-end" gap="xs" className={classes.buttons}>
      <Button variant="default" onClick={onCancel} disabled={stay}>
        Cancel
      </Button>
      <Button type="submit" loading={busy} disabled={disabled}>
        {submit}
      </Button>
    </Group>
  )
}
