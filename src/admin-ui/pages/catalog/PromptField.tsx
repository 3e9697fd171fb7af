import { Textarea } from '@mantine/core'

type PromptFieldProps = {
  limits: { required: boolean; maxLength: number | null }
  value: string
  issue: string | undefined
  onChange(value: string): void
}

const figures = new Intl.NumberFormat()

/** The prompt with its length in code points, as the limit counts. */
export function PromptField({ limits: { required, maxLength }, value, issue, onChange }: PromptFieldProps) {
  const length = [...value].length
  const isLong = maxLength !== null && length > maxLength
  return (
    <Textarea
      label="Prompt"
      required={required}
      description={maxLength === null ? undefined : `${figures.format(length)} of ${figures.format(maxLength)} characters`}
      error={issue ?? (isLong ? 'The model will fail a prompt of this length.' : undefined)}
      autosize
      minRows={3}
      maxRows={14}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
