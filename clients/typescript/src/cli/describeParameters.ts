/** Longer lists are shortened. */
const membersShown = 12

type Schema = Record<string, unknown>

/** Describes each parameter of a JSON Schema with its accepted values. */
export function describeParameters(parameters: Record<string, unknown>): [string, string][] {
  const properties = (parameters['properties'] ?? {}) as Record<string, Schema>
  const required = new Set(Array.isArray(parameters['required']) ? parameters['required'] : [])
  return Object.entries(properties).map(([name, schema]) => [
    name,
    [takes(schema), required.has(name) ? 'required' : defaultText(schema), description(schema)].filter(Boolean).join('; '),
  ])
}

function takes(schema: Schema): string {
  const choices = [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? (list as Schema[]) : []))
  if (choices.length > 0) return choices.map(takes).join(' or ')
  if (Array.isArray(schema['enum'])) return membersWords(schema['enum'])
  if ('const' in schema) return String(schema['const'])
  const types = [schema['type'] ?? []].flat().map(String)
  const { minimum, maximum, maxLength } = schema
  const hasEnds = typeof minimum === 'number' && typeof maximum === 'number'
  return [
    types.length > 0 ? types.join(' or ') : 'any value',
    hasEnds ? `${minimum} to ${maximum}` : '',
    !hasEnds && typeof minimum === 'number' ? `${minimum} or more` : '',
    !hasEnds && typeof maximum === 'number' ? `${maximum} or less` : '',
    typeof maxLength === 'number' ? `${maxLength} characters maximum` : '',
  ]
    .filter((word) => word !== '')
    .join(', ')
}

function membersWords(members: unknown[]): string {
  const shown = members.slice(0, membersShown).map(String).join(', ')
  return members.length > membersShown ? `${shown}, … (${members.length} in total, see --json)` : shown
}

function defaultText(schema: Schema): string {
  return 'default' in schema ? `default: ${JSON.stringify(schema['default'])}` : ''
}

function description(schema: Schema): string {
  return typeof schema['description'] === 'string' ? schema['description'] : ''
}
