import { Stack } from '@mantine/core'
import type { VariantInputs } from '../catalog/catalogQueries.ts'
import { type MediumName, mediumNames } from '../catalog/familyLabels.ts'
import type { FieldIssues } from '../catalog/fieldIssues.ts'
import { InputField } from './InputField.tsx'
import { idsIn } from './playgroundAddress.ts'

type InputFieldsProps = {
  inputs: VariantInputs
  /** The identifiers, by medium. */
  media: Readonly<Partial<Record<MediumName, string>>>
  issues: FieldIssues
  mayUpload: boolean
  /** Called while the field of the request has an input that it does not take. Returns what ends that. */
  onWrong(field: string): () => void
  onChange(medium: MediumName, ids: string[]): void
}

/** A field for each medium that the variant takes. */
export function InputFields({ inputs, media, issues, mayUpload, onWrong, onChange }: InputFieldsProps) {
  const taken = mediumNames.filter((medium) => inputs[medium].max > 0)
  if (taken.length === 0) return null
  return (
    <Stack gap="md">
      {taken.map((medium) => (
        <InputField
          key={medium}
          medium={medium}
          limits={inputs[medium]}
          ids={idsIn(media[medium])}
          issue={issues[inputs[medium].field]}
          mayUpload={mayUpload}
          onWrong={() => onWrong(inputs[medium].field)}
          onChange={(ids) => onChange(medium, ids)}
        />
      ))}
    </Stack>
  )
}
