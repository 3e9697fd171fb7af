import { Select, SimpleGrid } from '@mantine/core'
import type { Family, Variant } from './catalogQueries.ts'
import { alternatives, isAxisValueAvailable, variantForAxis, variantForTask } from './chooseVariant.ts'
import { formatInputs, taskLabel } from './familyLabels.ts'

type VariantChoiceProps = { family: Family; variant: Variant; onChoose(variant: Variant): void }

/** Chooses the variant by task and axis values, and by name where these are not enough. */
export function VariantChoice({ family, variant, onChoose }: VariantChoiceProps) {
  const others = alternatives(family, variant)
  const task = family.tasks.find((each) => variant.tasks.includes(each)) ?? null
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label="Task"
        data={family.tasks.map((each) => ({ value: each, label: taskLabel(each) }))}
        value={task}
        allowDeselect={false}
        onChange={(chosen) => chosen !== null && onChoose(variantForTask(family, variant, chosen))}
      />
      {family.axes.map(({ name, label, values }) => (
        <Select
          key={name}
          label={label}
          data={values.map((value) => {
            const offered = isAxisValueAvailable(family, variant, { axis: name, value })
            return { value, label: offered ? value : `${value} (not for this task)`, disabled: !offered }
          })}
          value={variant.axes[name] ?? null}
          allowDeselect={false}
          onChange={(value) => value !== null && onChoose(variantForAxis(family, variant, { axis: name, value }))}
        />
      ))}
      {others.length > 1 && (
        <Select
          label="Variant"
          data={others.map(({ modelId, label, inputs }) => ({ value: modelId, label: `${label}: ${formatInputs(inputs)}` }))}
          value={variant.modelId}
          allowDeselect={false}
          onChange={(chosen) => {
            const other = others.find(({ modelId }) => modelId === chosen)
            if (other) onChoose(other)
          }}
        />
      )}
    </SimpleGrid>
  )
}
