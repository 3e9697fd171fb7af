import { z } from 'zod'
import { family, type PublicFamily } from '../../contract/shapes/family.ts'
import { familiesQuery, listOf } from '../../contract/shapes/queries.ts'
import { familyLine } from '../familyText.ts'
import { readOnlyAnnotations, tool, toolResult } from '../tool.ts'

const input = familiesQuery.extend({
  query: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Only families whose identifier, name, vendor or description contains all these words.' }),
})

export const searchFamilies = tool({
  name: 'search_families',
  title: 'Search model families',
  description:
    'Lists the model families for images, video, audio and 3D, with prices in credits. Call it first, with a task (such as text-to-image) or outputType, to find a familyId. Families with available: false cannot be used now; lockReason is the reason. Free of charge. Next: get_family for details, or estimate_generation.',
  input,
  output: listOf(family, 'FamilyList'),
  annotations: readOnlyAnnotations,
  connect: (field) => {
    const families = field('query', 'families')
    return async (call) => {
      const { query = '', ...filter } = call.arguments
      const { items } = (await families(filter, call)) as { items: PublicFamily[] }
      const matches = items.filter((each) => matchesAllWords(each, query))
      const lines = matches.map((each) => `- ${familyLine(each)}`)
      const heading = matches.length === 0 ? 'No family matches. Search with fewer conditions.' : `${matches.length} families:`
      return toolResult({ items: matches, nextCursor: null }, [heading, ...lines].join('\n'))
    }
  },
})

function matchesAllWords({ id, name, vendor, description }: PublicFamily, query: string): boolean {
  const text = `${id} ${name} ${vendor} ${description}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
