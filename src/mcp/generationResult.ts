import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { PublicGeneration } from '../contract/generation.ts'
import { generationText } from './generationText.ts'
import { told } from './tool.ts'

export const generationInput = z.strictObject({
  generationId: z.string().min(1).meta({ description: 'From start_generation or list_generations.' }),
})

/** A generation as a tool answers: finished media as links, one that failed as an error of the tool. */
export function generationResult(generation: PublicGeneration): CallToolResult {
  const answer = told(generation, generationText(generation), ...linksTo(generation))
  return generation.error ? { ...answer, isError: true } : answer
}

/** The link to what a generation made, if it has one. */
function linksTo({ generationId, result }: PublicGeneration): ContentBlock[] {
  if (typeof result?.url !== 'string') return []
  const { url, mimeType, sizeBytes, type } = result
  return [
    {
      type: 'resource_link',
      uri: url,
      name: `${generationId}${extensionOf(mimeType)}`,
      title: `The ${type} that ${generationId} made`,
      ...(mimeType ? { mimeType } : {}),
      ...(typeof sizeBytes === 'number' ? { size: sizeBytes } : {}),
    },
  ]
}

const extensions: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'image/avif': '.avif',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'audio/ogg': '.ogg',
  'audio/flac': '.flac',
  'model/gltf-binary': '.glb',
  'model/obj': '.obj',
}

function extensionOf(mimeType: string | null | undefined): string {
  return extensions[mimeType ?? ''] ?? ''
}
