type Schema = Readonly<Record<string, unknown>>

/** The form control of a parameter. Anything without a control is edited as JSON. */
export type Control =
  | { kind: 'choice'; options: readonly unknown[] }
  | { kind: 'choices'; options: readonly unknown[] }
  | { kind: 'switch' }
  | { kind: 'number'; integer: boolean; min?: number; max?: number; step?: number }
  | { kind: 'text'; maxLength?: number }
  | { kind: 'group'; fields: readonly Field[] }
  | { kind: 'json' }

export type Field = {
  name: string
  label: string
  description: string | undefined
  required: boolean
  /** The default value; `undefined` when there is none. */
  standard: unknown
  control: Control
}

/** The form fields for a JSON Schema (2020-12) of one object. Its texts are rendered as plain text. */
export function fieldsOf(schema: Schema): Field[] {
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).map(([name, property]) => {
    const of = isObject(property) ? property : {}
    return {
      name,
      label: textOf(of['title']) ?? name,
      description: textOf(of['description']),
      required: required.includes(name),
      standard: of['default'],
      control: controlOf(of),
    }
  })
}

function controlOf(schema: Schema): Control {
  const options = optionsOf(schema)
  if (options) return { kind: 'choice', options }
  if (schema['type'] === 'boolean') return { kind: 'switch' }
  if (schema['type'] === 'integer' || schema['type'] === 'number') return numberOf(schema)
  if (schema['type'] === 'string') return { kind: 'text', ...given('maxLength', schema['maxLength']) }
  if (schema['type'] === 'object' && isObject(schema['properties'])) return { kind: 'group', fields: fieldsOf(schema) }
  const items = schema['type'] === 'array' && isObject(schema['items']) ? optionsOf(schema['items']) : undefined
  return items ? { kind: 'choices', options: items } : { kind: 'json' }
}

function optionsOf(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return schema['enum']
  return 'const' in schema ? [schema['const']] : undefined
}

function numberOf(schema: Schema): Control {
  const integer = schema['type'] === 'integer'
  return {
    kind: 'number',
    integer,
    ...given('min', schema['minimum']),
    ...given('max', schema['maximum']),
    ...given('step', schema['multipleOf'] ?? (integer ? 1 : undefined)),
  }
}

function given<Name extends string>(name: Name, value: unknown): { [Key in Name]?: number } {
  return (typeof value === 'number' ? { [name]: value } : {}) as { [Key in Name]?: number }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const figures = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 })

/** Describes the accepted values: `64 to 2,048`, `png, jpeg or webp`. */
export function formatLimits(control: Control): string {
  switch (control.kind) {
    case 'choice':
      return formatOptions(control.options)
    case 'choices':
      return `any of ${formatOptions(control.options)}`
    case 'switch':
      return 'true or false'
    case 'number':
      return formatRange(control)
    case 'text':
      return control.maxLength === undefined ? 'text' : `text of up to ${figures.format(control.maxLength)} characters`
    case 'group':
      return 'an object'
    case 'json':
      return 'JSON'
  }
}

export function formatRange({ integer, min, max }: { integer: boolean; min?: number; max?: number }): string {
  const kind = integer ? 'a whole number' : 'a number'
  if (min !== undefined && max !== undefined) return `${kind}, ${figures.format(min)} to ${figures.format(max)}`
  if (min !== undefined) return `${kind} from ${figures.format(min)}`
  return max === undefined ? kind : `${kind} up to ${figures.format(max)}`
}

function formatOptions(options: readonly unknown[]): string {
  const words = options.map(formatOption)
  return words.length === 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** Formats a value: text without quotes, anything else as JSON. */
export function formatOption(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
