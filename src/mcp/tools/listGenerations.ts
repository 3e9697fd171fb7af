import { z } from 'zod'
import { limits } from '../../contract/limits.ts'
import { generation, type PublicGeneration } from '../../contract/shapes/generation.ts'
import { historyQuery, listOf } from '../../contract/shapes/queries.ts'
import { generationLine } from '../generationText.ts'
import { readOnlyAnnotations, tool, toolResult } from '../tool.ts'

const limitDefault = 10

const input = historyQuery.extend({
  limit: z
    .int()
    .min(1)
    .max(limits.historyPageItems)
    .optional()
    .meta({ description: `The page size; default ${limitDefault}.` }),
})

export const listGenerations = tool({
  name: 'list_generations',
  title: 'List generations',
  description:
    "Lists the history of the person's team or, without a team, of the person, newest first. Includes generations of programs and of the editor. Use it to find a generation. Free of charge. Pass nextCursor as cursor for the next page.",
  input,
  output: listOf(generation, 'GenerationList'),
  annotations: readOnlyAnnotations,
  connect: (field) => {
    const history = field('query', 'history')
    return async (call) => {
      const page = (await history({ ...call.arguments, limit: call.arguments.limit ?? limitDefault }, call)) as {
        items: PublicGeneration[]
        nextCursor: string | null
      }
      const more = page.nextCursor === null ? [] : [`More: call again with cursor ${page.nextCursor}`]
      const lines = page.items.length === 0 ? ['No generations.'] : page.items.map((each) => `- ${generationLine(each)}`)
      return toolResult(page, [...lines, ...more].join('\n'))
    }
  },
})
