import { generation, type PublicGeneration } from '../../contract/shapes/generation.ts'
import { generationInput, generationResult } from '../generationText.ts'
import { resultMedia } from '../resultMedia.ts'
import { readOnlyAnnotations, tool } from '../tool.ts'

export const getGeneration = tool({
  name: 'get_generation',
  title: 'Get a generation',
  description:
    'Returns the present state of a generation, with its result (a link to the file, and for an image a small preview) or the reason of its failure. Free of charge. Before its end, use wait_generation instead of repeated calls.',
  input: generationInput,
  output: generation,
  annotations: readOnlyAnnotations,
  connect: (field) => {
    const get = field('query', 'generation')
    const mediaOf = resultMedia(field)
    return async (call) => {
      const found = (await get({ id: call.arguments.generationId, waitSeconds: 0 }, call)) as PublicGeneration
      return generationResult(found, await mediaOf(found, call))
    }
  },
})
