import type { CallToolResult } from '@modelcontextprotocol/server'
import { resultFileName } from '../contract/resultFileName.ts'
import type { PublicGeneration } from '../contract/shapes/generation.ts'
import type { CallField, CompileField, FieldCall } from './compileFields.ts'

/** The content of a tool result apart from its text. */
export type Media = CallToolResult['content']

/** The media of a result: a link, and for an image also a small preview for the model. Empty without a result. */
export function resultMedia(field: CompileField): (generation: PublicGeneration, call: FieldCall) => Promise<Media> {
  const preview = field('query', 'resultPreview')
  return async (generation, call) => {
    const links = linksTo(generation)
    const hasImage = links.length > 0 && generation.result?.type === 'image'
    return hasImage ? [...links, ...(await previewOf(preview, generation, call))] : links
  }
}

/** The preview is optional: an error is logged, and the result has only the link. */
async function previewOf(preview: CallField, { generationId }: PublicGeneration, call: FieldCall): Promise<Media> {
  try {
    const found = (await preview({ id: generationId }, call)) as { mimeType: string; base64: string } | null
    return found ? [{ type: 'image', data: found.base64, mimeType: found.mimeType }] : []
  } catch (error) {
    call.context.log.warn({ generationId, error: String(error) }, 'a preview could not be read')
    return []
  }
}

/** The link to the result, if there is one. */
function linksTo({ generationId, result }: PublicGeneration): Media {
  if (typeof result?.url !== 'string') return []
  const { url, mimeType, sizeBytes, type } = result
  return [
    {
      type: 'resource_link',
      uri: url,
      name: resultFileName(generationId, mimeType),
      title: `The ${type} of ${generationId}`,
      ...(mimeType ? { mimeType } : {}),
      ...(typeof sizeBytes === 'number' ? { size: sizeBytes } : {}),
    },
  ]
}
