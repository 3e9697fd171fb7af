import { Checkbox, Stack } from '@mantine/core'
import { alertKinds, allAlertKinds } from './alertKinds.ts'
import type { AlertKind } from './alertQueries.ts'

type AlertKindChoicesProps = { value: readonly AlertKind[]; onChange(value: AlertKind[]): void; error?: string | undefined }

/** A checkbox for each alert by its event name. */
export function AlertKindChoices({ value, onChange, error }: AlertKindChoicesProps) {
  return (
    <Checkbox.Group
      label="Alerts"
      value={[...value]}
      onChange={(chosen) => onChange(allAlertKinds.filter((kind) => chosen.includes(kind)))}
      error={error}
    >
      <Stack gap="xs" mt={6} mb={error === undefined ? 0 : 6}>
        {allAlertKinds.map((kind, index) => (
          <Checkbox
            key={kind}
            value={kind}
            data-autofocus={index === 0 || undefined}
            label={alertKinds[kind].name}
            description={alertKinds[kind].when}
            styles={{ label: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
