import type { Resource } from '@modelcontextprotocol/server'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { PublicFamily } from '../../contract/shapes/family.ts'
import type { FieldCall } from '../compileFields.ts'
import { familyLine } from '../familyText.ts'
import { completionsMax, jsonResource, type ResourceAccess, type ResourceKind, resourceMimeType } from '../resourceKind.ts'

/** The catalog is read from memory and has no pages. */
type Families = ResourceAccess & { list(call: FieldCall): Promise<Resource[]> }

const uriPrefix = 'atelier://families/'

export const familyResources: ResourceKind<Families> = {
  name: 'family',
  title: 'A model family',
  description:
    'Everything needed to write a request for one family of models: its variants with the inputs that each takes and its prices, the axes (quality levels and the like) and the JSON Schema of its parameters. The same document as get_family gives; familyId comes from search_families.',
  uriPrefix,
  argument: 'familyId',
  connect: (field) => {
    const families = field('query', 'families')
    const family = field('query', 'family')
    const all = async (call: FieldCall) => ((await families({}, call)) as { items: PublicFamily[] }).items
    return {
      list: async (call) => (await all(call)).map(resourceOf),
      read: async (familyId, call) => {
        const found = await family({ id: familyId }, call)
        if (!found) throw new Refusal('family_not_found', { familyId })
        return [jsonResource(`${uriPrefix}${familyId}`, found)]
      },
      complete: async (begun, call) => {
        const fitting = (await all(call)).map(({ id }) => id).filter((id) => id.includes(begun.toLowerCase()))
        return { values: fitting.slice(0, completionsMax), hasMore: fitting.length > completionsMax }
      },
    }
  },
}

function resourceOf(family: PublicFamily): Resource {
  return {
    uri: `${uriPrefix}${family.id}`,
    name: family.id,
    title: family.name,
    description: familyLine(family),
    mimeType: resourceMimeType,
    annotations: { lastModified: family.updatedAt },
  }
}
