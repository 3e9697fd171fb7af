import type { CallToolResult } from '@modelcontextprotocol/server'
import { resultFileName } from '../contract/resultFileName.ts'
import type { PublicGeneration } from '../contract/shapes/generation.ts'
import type { CallField, CompileField, FieldCall } from './compileFields.ts'

/** What stands in an answer beside its text. */
export type Media = CallToolResult['content']

/** What a generation made: as a link, and an image as a small picture besides, for a model to look at. Nothing as long as there is nothing. */
export function resultMedia(field: CompileField): (generation: PublicGeneration, call: FieldCall) => Promise<Media> {
  const preview = field('query', 'resultPreview')
  return async (generation, call) => {
    const links = linksTo(generation)
    const hasImage = links.length > 0 && generation.result?.type === 'image'
    return hasImage ? [...links, ...(await previewOf(preview, generation, call))] : links
  }
}

/** The answer is complete without it: whatever goes wrong here, the link stands alone. */
async function previewOf(preview: CallField, { generationId }: PublicGeneration, call: FieldCall): Promise<Media> {
  try {
    const found = (await preview({ id: generationId }, call)) as { mimeType: string; base64: string } | null
    return found ? [{ type: 'image', data: found.base64, mimeType: found.mimeType }] : []
  } catch (error) {
    call.context.log.warn({ generationId, error: String(error) }, 'a preview could not be read')
    return []
  }
}

/** The link to what a generation made, if it has one. */
function linksTo({ generationId, result }: PublicGeneration): Media {
  if (typeof result?.url !== 'string') return []
  const { url, mimeType, sizeBytes, type } = result
  return [
    {
      type: 'resource_link',
      uri: url,
      name: resultFileName(generationId, mimeType),
      title: `The ${type} that ${generationId} made`,
      ...(mimeType ? { mimeType } : {}),
      ...(typeof sizeBytes === 'number' ? { size: sizeBytes } : {}),
    },
  ]
}
