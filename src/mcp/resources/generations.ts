import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server'
import { limits } from '../../contract/limits.ts'
import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import type { FieldCall } from '../compileFields.ts'
import { generationLine } from '../generationText.ts'
import { singleLine } from '../quoteUserText.ts'
import { jsonResource, type ResourceAccess, type ResourceKind, type ResourcePage, resourceMimeType } from '../resourceKind.ts'

type Generations = ResourceAccess & {
  /** Refusals: invalid_cursor. */
  page(cursor: string | undefined, call: FieldCall): Promise<ResourcePage>
}

type History = { items: PublicGeneration[]; nextCursor: string | null }

const uriPrefix = 'atelier://generations/'

export const generationResources: ResourceKind<Generations> = {
  name: 'generation',
  title: 'A generation',
  description:
    'The state of a generation, and its result or the reason of its failure: the same document as from get_generation, and the link of a ready result. generationId is from start_generation or list_generations.',
  uriPrefix,
  argument: 'generationId',
  connect: (field) => {
    const generation = field('query', 'generation')
    const history = field('query', 'history')
    const pageOf = async (cursor: string | undefined, call: FieldCall) =>
      (await history({ cursor, limit: limits.historyPageItems }, call)) as History
    return {
      page: async (cursor, call) => {
        const { items, nextCursor } = await pageOf(cursor, call)
        return { resources: items.map(resourceOf), ...(nextCursor === null ? {} : { nextCursor }) }
      },
      read: async (id, call) => contentsOf((await generation({ id, waitSeconds: 0 }, call)) as PublicGeneration),
      complete: async (typed, call) => {
        const { items, nextCursor } = await pageOf(undefined, call)
        return {
          values: items.map(({ generationId }) => generationId).filter((id) => id.startsWith(typed.toLowerCase())),
          hasMore: nextCursor !== null,
        }
      },
    }
  },
}

function resourceOf(generation: PublicGeneration): Resource {
  // Without the link: it expires, and clients keep lists for longer.
  const { result: _, ...unlinked } = generation
  const { generationId, outputType, prompt, createdAt, finishedAt } = generation
  return {
    uri: `${uriPrefix}${generationId}`,
    name: generationId,
    title: prompt === null ? `${outputType} of ${generation.familyId}` : `${outputType}: ${singleLine(prompt, titleCharacters)}`,
    description: generationLine(unlinked),
    mimeType: resourceMimeType,
    annotations: { lastModified: finishedAt ?? createdAt },
  }
}

const titleCharacters = 60

/** The document, and the link to the file. */
function contentsOf(generation: PublicGeneration): ReadResourceResult['contents'] {
  const { generationId, result } = generation
  const document = jsonResource(`${uriPrefix}${generationId}`, generation)
  if (typeof result?.url !== 'string') return [document]
  return [document, { uri: result.url, mimeType: 'text/uri-list', text: `${result.url}\r\n` }]
}
