import { type MediumName, mediumNames } from '../catalog/familyLabels.ts'
import type { Draft } from '../catalog/generationBody.ts'
import { isObject } from '../catalog/schemaFields.ts'

/** What the page shows: the request of the form, and the generations beside it. */
export type PlaygroundState = {
  familyId: string
  draft: Draft
  /** The shown generation, and the one that it is compared with. */
  result: string | undefined
  compared: string | undefined
}

type Addressed = Pick<PlaygroundState, 'familyId' | 'draft'> & Partial<PlaygroundState>

/** Longer prompts do not fit into an address. They are kept in the browser only. */
export const promptInAddressMax = 2000

/** The query of the address that shows this state again. */
export function addressOf({ familyId, draft, result, compared }: Addressed): string {
  const { modelId, prompt, parameters, media } = draft
  const query = new URLSearchParams()
  const set = (name: string, value: string | undefined) => value !== undefined && value !== '' && query.set(name, value)
  set('family', familyId)
  set('variant', modelId)
  if (prompt.length <= promptInAddressMax) set('prompt', prompt)
  if (Object.keys(parameters).length > 0) set('parameters', JSON.stringify(parameters))
  for (const medium of mediumNames) set(medium, idsIn(media[medium]).join(','))
  set('result', result)
  set('compare', compared)
  return query.toString()
}

/** Reads a query; `undefined` when it names no family. Values that cannot be read are ignored. */
export function readAddress(search: string): PlaygroundState | undefined {
  const query = new URLSearchParams(search)
  const familyId = query.get('family')
  if (!familyId) return undefined
  const media = mediumNames.flatMap((medium): [MediumName, string][] => {
    const ids = query.get(medium)
    return ids ? [[medium, ids.split(',').join('\n')]] : []
  })
  return {
    familyId,
    draft: {
      modelId: query.get('variant') ?? '',
      prompt: query.get('prompt') ?? '',
      parameters: parametersIn(query.get('parameters')),
      media: Object.fromEntries(media),
    },
    result: query.get('result') ?? undefined,
    compared: query.get('compare') ?? undefined,
  }
}

function parametersIn(text: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

/** The identifiers in the text of a media field. */
export function idsIn(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((id) => id !== '')
}

const nameOf = (teamId: string) => `atelier-playground:${teamId}`

/** The last request of this browser in the team, with a prompt of any length. */
export function rememberedState(teamId: string): PlaygroundState | undefined {
  try {
    const { query, prompt } = JSON.parse(localStorage.getItem(nameOf(teamId)) ?? '') as { query: string; prompt: string }
    const state = readAddress(query)
    return state && { ...state, draft: { ...state.draft, prompt } }
  } catch {
    return undefined
  }
}

export function rememberState(teamId: string, state: PlaygroundState): void {
  try {
    const query = addressOf({ ...state, result: undefined, compared: undefined })
    localStorage.setItem(nameOf(teamId), JSON.stringify({ query, prompt: state.draft.prompt }))
  } catch {
    // Storage is full or not available. The address has the request.
  }
}
