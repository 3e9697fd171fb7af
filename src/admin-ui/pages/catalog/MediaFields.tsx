import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import type { VariantInputs } from './catalogQueries.ts'
import { upload } from './curlCommands.ts'
import { formatCount, type MediumName, media, mediumNames } from './familyLabels.ts'
import type { FieldIssues } from './fieldIssues.ts'

type Pasted = Readonly<Partial<Record<MediumName, string>>>

type MediaFieldsProps = { inputs: VariantInputs; pasted: Pasted; issues: FieldIssues; onChange(pasted: Pasted): void }

/** Fields for the identifiers of input media, and how to upload a file. */
export function MediaFields({ inputs, pasted, issues, onChange }: MediaFieldsProps) {
  const taken = mediumNames.filter((medium) => inputs[medium].max > 0)
  if (taken.length === 0) return null
  return (
    <Stack gap="md">
      {taken.map((medium) => {
        const { min, max, field, mimeTypes } = inputs[medium]
        const common = {
          label: media[medium].name,
          required: min > 0,
          description: `Takes ${formatCount(medium, { min, max })}: ${max > 1 ? 'identifiers, one per line,' : 'the identifier'} of an uploaded file (file_…) or of a finished generation (gen_…). ${mimeTypes.join(', ')}`,
          error: issues[field],
          value: pasted[medium] ?? '',
          spellCheck: false,
          styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' } },
        }
        const change = (text: string) => onChange({ ...pasted, [medium]: text })
        return max > 1 ? (
          <Textarea key={medium} {...common} autosize minRows={2} onChange={(event) => change(event.currentTarget.value)} />
        ) : (
          <TextInput key={medium} {...common} onChange={(event) => change(event.currentTarget.value)} />
        )
      })}
      <details>
        <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
          How to upload a file
        </Text>
        <Stack gap={4} mt="xs">
          <CodeBlock label="Upload by curl" code={upload(location.origin)} wrap />
          <Text size="xs" c="dimmed">
            The answer contains the fileId. The key needs the scope files:write.
          </Text>
        </Stack>
      </details>
    </Stack>
  )
}
