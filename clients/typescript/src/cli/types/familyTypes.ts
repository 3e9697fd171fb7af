import type { Axis, Family } from '../../openapi.ts'
import { comment, literal, objectType, propertyName, union } from './schemaType.ts'

type Writing = { packageName: string; source: string }

/** A TypeScript file that gives requests the axes, variants and parameters of each family. */
export function familyTypes(families: readonly Family[], { packageName, source }: Writing): string {
  return `// Written by \`atelier-client types\` from the catalog at ${JSON.stringify(source)}. Write it again when the catalog changes.
import ${literal(packageName)}

declare module ${literal(packageName)} {
  interface CatalogFamilies {
${families.map(familyType).join('')}  }
}
`
}

function familyType({ id, name, description, axes, variants, parameters }: Family): string {
  const { prompt: _, ...properties } = (parameters['properties'] ?? {}) as Record<string, unknown>
  const own = { ...parameters, properties, required: requiredOf(parameters) }
  const modelIds = union(variants.map(({ modelId }) => literal(modelId)))
  return `${comment(`${name}: ${description}`, '    ')}    ${propertyName(id)}: {
      parameters${requiredOf(parameters).length > 0 ? '' : '?'}: ${objectType(own, '      ')}
    } & ({ axes?: ${axesType(axes)}; modelId?: never } | { axes?: never; modelId?: ${modelIds} })
`
}

function axesType(axes: readonly Axis[]): string {
  if (axes.length === 0) return 'Record<string, never>'
  return `{ ${axes.map(({ name, values }) => `${propertyName(name)}?: ${union(values.map(literal))}`).join('; ')} }`
}

/** The prompt is outside of the parameters of a request. */
function requiredOf(parameters: Record<string, unknown>): unknown[] {
  const { required } = parameters
  return Array.isArray(required) ? required.filter((name) => name !== 'prompt') : []
}
