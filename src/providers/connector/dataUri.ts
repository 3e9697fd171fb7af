import { buffer } from 'node:stream/consumers'
import type { ProviderInput } from '../provider.ts'

/** The bytes of an input as a data URI. For small inputs only: the text is held in memory and a third larger. */
export async function dataUri(input: ProviderInput): Promise<string> {
  const bytes = await buffer(await input.open())
  return `data:${input.mimeType};base64,${bytes.toString('base64')}`
}
