import { Alert, Select, Text } from '@mantine/core'
import { outputTypeLabels } from '../catalog/familyLabels.ts'
import type { ListedFamily } from './playgroundQueries.ts'

type FamilyChoiceProps = { families: readonly ListedFamily[]; familyId: string; onChoose(familyId: string): void }

const kinds = ['IMAGE', 'VIDEO', 'AUDIO', 'MODEL3D', 'TEXT'] as const

/** The families by what they make. Locked ones stay in the list, but cannot be chosen. */
export function FamilyChoice({ families, familyId, onChoose }: FamilyChoiceProps) {
  const data = kinds
    .map((kind) => ({
      group: outputTypeLabels[kind],
      items: families
        .filter(({ outputType }) => outputType === kind)
        .map(({ id, name, available }) => ({ value: id, label: available ? name : `${name} (locked)`, disabled: !available })),
    }))
    .filter(({ items }) => items.length > 0)
  const isKnown = families.some(({ id }) => id === familyId)
  return (
    <>
      <Select
        label="Family"
        data={data}
        value={isKnown ? familyId : null}
        placeholder="Choose a family"
        allowDeselect={false}
        searchable
        nothingFoundMessage="No such family"
        onChange={(chosen) => chosen !== null && onChoose(chosen)}
      />
      {familyId !== '' && !isKnown && (
        <Alert color="gray" title="No such family">
          <Text size="sm">The catalog has no family {familyId}. Choose another one.</Text>
        </Alert>
      )}
    </>
  )
}
