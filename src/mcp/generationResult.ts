import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { PublicGeneration } from '../contract/shapes/generation.ts'
import { generationText } from './generationText.ts'
import type { Media } from './resultMedia.ts'
import { toolResult } from './tool.ts'

export const generationInput = z.strictObject({
  generationId: z.string().min(1).meta({ description: 'From start_generation or list_generations.' }),
})

/** The tool result of a generation with its media; a failed generation is a tool error. */
export function generationResult(generation: PublicGeneration, media: Media): CallToolResult {
  const answer = toolResult(generation, generationText(generation), ...media)
  return generation.error ? { ...answer, isError: true } : answer
}
