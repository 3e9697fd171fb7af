import { Fieldset, JsonInput, MultiSelect, NumberInput, Select, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import type { FieldIssues } from './fieldIssues.ts'
import { parsed } from './generationBody.ts'
import { type Field, formatOption, formatRange, isObject } from './schemaFields.ts'

export type Values = Readonly<Record<string, unknown>>

type ParameterFieldsProps = {
  fields: readonly Field[]
  values: Values
  /** The path of these parameters in the request: `parameters`, `parameters.style`. */
  place: string
  issues: FieldIssues
  onChange(values: Values): void
}

/** Controls for the parameters of a variant, or of a group of them. */
export function ParameterFields({ fields, values, place, issues, onChange }: ParameterFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
      {fields.map((field) => (
        <ParameterField
          key={field.name}
          field={field}
          value={Object.hasOwn(values, field.name) ? values[field.name] : undefined}
          place={`${place}.${field.name}`}
          issues={issues}
          onChange={(value) => onChange(changed(values, field.name, value))}
        />
      ))}
    </SimpleGrid>
  )
}

/** Considers only own properties, because a schema may use inherited names. */
function changed(values: Values, name: string, value: unknown): Values {
  const others = Object.entries(values).filter(([each]) => each !== name)
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
}

/** Descriptions are below the inputs, so that inputs side by side are aligned. */
const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

type ParameterFieldProps = Pick<ParameterFieldsProps, 'place' | 'issues'> & {
  field: Field
  /** `undefined` for the default. */
  value: unknown
  onChange(value: unknown): void
}

function ParameterField({ field, value, place, issues, onChange }: ParameterFieldProps) {
  const { label, description, required, standard, control } = field
  const shown = value === undefined ? standard : value
  const common = { label, description, required, error: issues[place], inputWrapperOrder: order }
  switch (control.kind) {
    case 'choice':
      return <ChoiceField {...common} options={control.options} value={shown} clearable={standard === undefined} onChange={onChange} />
    case 'choices':
      return <ChoicesField {...common} options={control.options} value={shown} onChange={onChange} />
    case 'switch':
      return (
        <Switch {...withoutRequired(common)} checked={shown === true} mt={22} onChange={(event) => onChange(event.currentTarget.checked)} />
      )
    case 'number':
      return <NumberField {...common} control={control} value={shown} standard={standard} onChange={onChange} />
    case 'text':
      return <TextField {...common} maxLength={control.maxLength} value={textOf(shown)} onChange={onChange} />
    case 'group':
      return (
        <Fieldset legend={label} style={{ gridColumn: '1 / -1' }}>
          <ParameterFields
            fields={control.fields}
            values={isObject(value) ? value : {}}
            place={place}
            issues={issues}
            onChange={onChange}
          />
        </Fieldset>
      )
    case 'json':
      return <JsonField {...common} value={value} standard={standard} onChange={onChange} />
  }
}

type Common = {
  inputWrapperOrder: typeof order
  label: string
  description: string | undefined
  required: boolean
  error: string | undefined
  onChange(value: unknown): void
}

function withoutRequired({ label, description, error }: Omit<Common, 'onChange'>) {
  return { label, description, error }
}

/** Options are identified by index, because they may have any type. */
function choicesOf(options: readonly unknown[]) {
  return options.map((option, index) => ({ value: String(index), label: formatOption(option) }))
}

function placeOf(options: readonly unknown[], value: unknown): string | null {
  const index = options.findIndex((option) => formatOption(option) === formatOption(value) && typeof option === typeof value)
  return index < 0 ? null : String(index)
}

type ChoiceFieldProps = Common & { options: readonly unknown[]; value: unknown }

function ChoiceField({ options, value, clearable, onChange, ...common }: ChoiceFieldProps & { clearable: boolean }) {
  return (
    <Select
      {...common}
      data={choicesOf(options)}
      value={placeOf(options, value)}
      placeholder="Not set"
      allowDeselect={false}
      clearable={clearable}
      clearButtonProps={{ 'aria-label': `Clear ${common.label}`, tabIndex: 0 }}
      searchable={options.length > 8}
      nothingFoundMessage="Nothing found"
      onChange={(chosen) => onChange(chosen === null ? undefined : options[Number(chosen)])}
    />
  )
}

function ChoicesField({ options, value, onChange, ...common }: ChoiceFieldProps) {
  const places = Array.isArray(value) ? value.flatMap((each) => placeOf(options, each) ?? []) : []
  return (
    <MultiSelect
      {...common}
      data={choicesOf(options)}
      value={places}
      onChange={(chosen) => onChange(chosen.length === 0 ? undefined : chosen.map((each) => options[Number(each)]))}
    />
  )
}

type NumberFieldProps = Common & {
  control: { integer: boolean; min?: number; max?: number; step?: number }
  value: unknown
  standard: unknown
}

function NumberField({ control, value, standard, description, onChange, error, ...common }: NumberFieldProps) {
  const { integer, min, max, step } = control
  const isOutside = typeof value === 'number' && ((min !== undefined && value < min) || (max !== undefined && value > max))
  const range = `Takes ${formatRange(control)}.`
  return (
    <NumberInput
      {...common}
      description={[description, isOutside || error === range ? undefined : range].filter(Boolean).join(' ') || undefined}
      error={error ?? (isOutside ? range : undefined)}
      value={typeof value === 'number' ? value : textOf(value)}
      placeholder={standard === undefined ? 'Not set' : formatOption(standard)}
      min={min}
      max={max}
      step={step ?? 1}
      allowDecimal={!integer}
      clampBehavior="none"
      onChange={(entered) => onChange(numberOf(entered))}
    />
  )
}

/** An incomplete or deleted number stays text. */
function numberOf(entered: string | number): string | number {
  const number = entered === '' ? Number.NaN : Number(entered)
  return Number.isFinite(number) ? number : entered
}

function TextField({ value, maxLength, onChange, ...common }: Common & { value: string; maxLength: number | undefined }) {
  const isLong = maxLength !== undefined && maxLength > 120
  return isLong ? (
    <Textarea {...common} autosize minRows={2} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <TextInput {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  )
}

function JsonField({ value, standard, error, onChange, ...common }: Common & { value: unknown; standard: unknown }) {
  const text = typeof value === 'string' ? value : ''
  const isBroken = text.trim() !== '' && parsed(text) === undefined
  return (
    <JsonInput
      {...common}
      style={{ gridColumn: '1 / -1' }}
      autosize
      minRows={2}
      value={text}
      placeholder={standard === undefined ? 'Not set' : JSON.stringify(standard)}
      error={error ?? (isBroken ? 'This is not valid JSON, so it is not sent.' : undefined)}
      onChange={(entered) => onChange(entered === '' ? undefined : entered)}
    />
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
