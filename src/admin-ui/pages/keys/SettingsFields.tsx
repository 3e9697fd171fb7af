import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { CalendarButton } from '../../ui/form/DateFields.tsx'
import { Presets } from '../../ui/form/Presets.tsx'
import { useNow } from '../../ui/hooks/useNow.ts'
import { expiryExample, expiryText, formatExpiry, readExpiry } from './expiryText.ts'
import type { FieldErrors, KeyFields } from './keyForm.ts'

export type SettingsFieldsProps = {
  fields: KeyFields
  errors: FieldErrors
  onChange(changed: Partial<KeyFields>): void
  /** True when agents may use the key: they can ask the person before large spends. */
  forAgents: boolean
  /** Content below the name. */
  children?: ReactNode
}

/** The fields of a key that can always be changed. */
export function SettingsFields({ fields, errors, onChange, forAgents, children }: SettingsFieldsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="Shown in lists. Programs do not see it."
        value={fields.name}
        error={errors['name']}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        autoComplete="off"
        maxLength={200}
        data-autofocus
      />
      {children}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <CreditsField
          label="Daily ceiling"
          description="Credits per day (UTC), including held credits"
          value={fields.dailyLimitCredits}
          error={errors['dailyLimitCredits']}
          onChange={(dailyLimitCredits) => onChange({ dailyLimitCredits })}
        />
        <CreditsField
          label="Monthly ceiling"
          description="Credits per month (UTC), including held credits"
          value={fields.monthlyLimitCredits}
          error={errors['monthlyLimitCredits']}
          onChange={(monthlyLimitCredits) => onChange({ monthlyLimitCredits })}
        />
        <CreditsField
          label="Single ceiling"
          description="Credits that one generation may cost"
          value={fields.singleLimitCredits}
          error={errors['singleLimitCredits']}
          onChange={(singleLimitCredits) => onChange({ singleLimitCredits })}
        />
      </SimpleGrid>
      {forAgents && (
        <CreditsField
          label="Ask above"
          description="An agent asks you before it starts a generation that costs more credits than this"
          placeholder="Never"
          value={fields.confirmAboveCredits}
          error={errors['confirmAboveCredits']}
          onChange={(confirmAboveCredits) => onChange({ confirmAboveCredits })}
        />
      )}
      <ExpiryField value={fields.expiresAt} error={errors['expiresAt']} onChange={(expiresAt) => onChange({ expiresAt })} />
    </Stack>
  )
}

type FieldProps = { value: string; error: string | undefined; onChange(value: string): void }

function CreditsField({ onChange, ...field }: FieldProps & { label: string; description: string; placeholder?: string }) {
  return (
    <TextInput
      placeholder="No ceiling"
      {...field}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      classNames={{ input: 'tabular' }}
    />
  )
}

const lifetimes = Object.fromEntries(['7 days', '30 days', '90 days', '1 year'].map((period) => [period, period]))

/** Like MomentField, and takes a period, because "in 90 days" is hard to enter in a calendar. It shows how it reads the text. */
function ExpiryField({ value, error, onChange }: FieldProps) {
  const labelId = useId()
  const now = new Date(useNow())
  const read = readExpiry(value, now)
  const understood =
    read && read > now
      ? formatExpiry(read, now)
      : `A day, a time like ${expiryExample()}, or a period like 30 days. Empty: valid until it is revoked.`
  const choose = (text: string) => {
    const chosen = readExpiry(text, new Date())
    onChange(chosen ? expiryText(chosen) : '')
  }
  return (
    <Stack gap={6}>
      <TextInput
        label="Expires"
        labelProps={{ id: labelId }}
        placeholder="Never"
        description={understood}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        maxLength={40}
        classNames={{ input: 'tabular' }}
        rightSection={
          <CalendarButton
            labelId={labelId}
            value={read?.toISOString()}
            onPick={(picked) => onChange(picked === undefined ? '' : expiryText(new Date(picked)))}
          />
        }
      />
      <Presets aria-label="Lifetimes" values={value === '' ? lifetimes : { ...lifetimes, Never: '' }} onChange={choose} />
    </Stack>
  )
}
