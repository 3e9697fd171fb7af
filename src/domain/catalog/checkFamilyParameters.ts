import type { Json } from '../../contract/json.ts'
import { requestFields } from '../../contract/shapes/generationRequest.ts'
import type { Problem } from './checkFamily.ts'
import type { SchemaCompiler } from './compileParameters.ts'
import type { FamilyFile } from './family.ts'

type Schema = Readonly<Record<string, Json>>

/** What must hold between the JSON Schema of a family's parameters, its variants and its prompt limits. */
export function checkFamilyParameters(family: FamilyFile, compiler: SchemaCompiler): Problem[] {
  const { properties, required = [] } = family.parameters
  const used = new Set(family.variants.flatMap(({ parameterNames }) => parameterNames))
  const problems: Problem[] = []
  for (const [name, schema] of Object.entries(properties)) {
    const path = `parameters.properties.${name}`
    if (name === 'prompt') continue
    problems.push(...checkProperty(name, schema, path, compiler))
    if (!used.has(name)) problems.push({ path, reason: 'is in the parameterNames of no variant' })
  }
  for (const name of required) {
    if (name === 'prompt' || !Object.hasOwn(properties, name))
      problems.push({ path: 'parameters.required', reason: `holds ${name}, which is no parameter` })
  }
  return [...problems, ...checkNames(family), ...checkPrompt(family)]
}

function checkProperty(name: string, schema: Schema, path: string, compiler: SchemaCompiler): Problem[] {
  if (requestFields.includes(name)) return [{ path, reason: 'has the name of a request field' }]
  if (name in Object.prototype) return [{ path, reason: 'has a name that every JavaScript object answers to' }]
  const problems = checkSubschema(schema, path)
  if (name === 'seed' && schema['default'] !== undefined)
    problems.push({ path: `${path}.default`, reason: 'would make every work alike: an omitted seed stays open' })
  try {
    const fits = compiler.property(schema)
    if (schema['default'] !== undefined && !fits(schema['default']))
      problems.push({ path: `${path}.default`, reason: 'does not fit its own schema' })
  } catch (error) {
    problems.push({ path, reason: error instanceof Error ? error.message : String(error) })
  }
  return problems
}

/** Objects are closed at every depth, and nothing is declared to carry a file. */
function checkSubschema(schema: Json | undefined, path: string): Problem[] {
  if (Array.isArray(schema)) return schema.flatMap((item, index) => checkSubschema(item, `${path}[${index}]`))
  if (typeof schema !== 'object' || schema === null) return []
  const problems: Problem[] = []
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false)
    problems.push({ path, reason: 'is an object that does not say additionalProperties: false' })
  for (const keyword of ['contentEncoding', 'contentMediaType', 'format', '$ref', '$dynamicRef', '$id']) {
    if (typeof schema[keyword] === 'string') problems.push({ path: `${path}.${keyword}`, reason: 'has no place in a parameter' })
  }
  for (const [keyword, inner] of Object.entries(schema)) {
    if (!['default', 'const', 'enum', 'examples'].includes(keyword)) problems.push(...checkSubschema(inner, `${path}.${keyword}`))
  }
  return problems
}

function checkNames({ parameters: { properties }, variants }: FamilyFile): Problem[] {
  return variants.flatMap(({ parameterNames }, index) => {
    const path = `variants[${index}].parameterNames`
    return parameterNames.flatMap((name, place) => {
      if (name === 'prompt') return [{ path, reason: 'holds prompt, which stands at the top level of a request' }]
      if (!Object.hasOwn(properties, name)) return [{ path, reason: `holds ${name}, which parameters.properties lacks` }]
      return parameterNames.indexOf(name) === place ? [] : [{ path, reason: `holds ${name} twice` }]
    })
  })
}

/** A declared prompt limit is told twice, to programs and in words, and is the longest that a variant takes. */
function checkPrompt({ parameters: { properties }, variants }: FamilyFile): Problem[] {
  const path = 'parameters.properties.prompt'
  const lengths = variants.flatMap(({ inputs: { prompt } }) => (prompt?.maxLength ? [prompt.maxLength] : []))
  const schema = Object.hasOwn(properties, 'prompt') ? properties['prompt'] : undefined
  if (lengths.length === 0) return schema ? [{ path, reason: 'stands there although no variant declares a prompt limit' }] : []
  const longest = Math.max(...lengths)
  if (!schema) return [{ path, reason: `is missing although variants declare a prompt limit of ${longest}` }]
  const { type, maxLength, description } = schema as { type?: Json; maxLength?: Json; description?: Json }
  const named = typeof description === 'string' && description.replaceAll(',', '').includes(String(longest))
  const problems: Problem[] = []
  if (type !== 'string') problems.push({ path: `${path}.type`, reason: 'is not string' })
  if (maxLength !== longest)
    problems.push({ path: `${path}.maxLength`, reason: `is not ${longest}, the longest prompt that a variant takes` })
  if (!named) problems.push({ path: `${path}.description`, reason: `does not name the limit of ${longest} characters` })
  return problems
}
