import { z } from 'zod'
import { familyNotFound } from '../../contract/refusals/familyNotFound.ts'
import { family, type PublicFamily } from '../../contract/shapes/family.ts'
import { familyText } from '../familyText.ts'
import { readOnlyAnnotations, tool, toolResult } from '../tool.ts'

export const getFamily = tool({
  name: 'get_family',
  title: 'Get a model family',
  description:
    'Everything that a request needs for one family: its variants with their inputs and prices, its axes (for example quality levels), and the JSON Schema of its parameters. Call it before the first estimate for a family. Free of charge. Next: estimate_generation.',
  input: z.strictObject({
    familyId: z
      .string()
      .min(1)
      .meta({ description: 'From search_families.', examples: ['sandbox-image'] }),
  }),
  output: family,
  annotations: readOnlyAnnotations,
  connect: (field) => {
    const get = field('query', 'family')
    return async (call) => {
      const { familyId } = call.arguments
      const found = (await get({ id: familyId }, call)) as PublicFamily | undefined
      if (!found) throw familyNotFound(familyId, call.context.catalog.families.keys())
      return toolResult(found, familyText(found))
    }
  },
})
