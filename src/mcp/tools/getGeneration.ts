import { generation, type PublicGeneration } from '../../contract/shapes/generation.ts'
import { generationInput, generationResult } from '../generationResult.ts'
import { resultMedia } from '../resultMedia.ts'
import { readOnlyAnnotations, tool } from '../tool.ts'

export const getGeneration = tool({
  name: 'get_generation',
  title: 'Get a generation',
  description:
    'How a generation stands now: its state, and its result (a link to the file, and an image also as a small preview to look at) or the reason of its failure. Free of charge. While it is not finished prefer wait_generation to asking again and again.',
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
