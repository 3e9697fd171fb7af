import type { Resource } from '@modelcontextprotocol/server'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { PublicFamily } from '../../contract/shapes/family.ts'
import type { FieldCall } from '../compileFields.ts'
import { familyLine } from '../familyText.ts'
import { completionsMax, jsonResource, type ResourceAccess, type ResourceKind, resourceMimeType } from '../resourceKind.ts'

/** The catalog is in memory, without pages. */
type Families = ResourceAccess & { list(call: FieldCall): Promise<Resource[]> }

const uriPrefix = 'atelier://families/'

export const familyResources: ResourceKind<Families> = {
  name: 'family',
  title: 'A model family',
  description:
    'Everything that a request needs for one model family: its variants with their inputs and prices, its axes (for example quality levels), and the JSON Schema of its parameters. The same document as from get_family; familyId is from search_families.',
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
      complete: async (typed, call) => {
        const fitting = (await all(call)).map(({ id }) => id).filter((id) => id.includes(typed.toLowerCase()))
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
