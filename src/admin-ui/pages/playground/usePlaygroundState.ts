import { useCallback, useEffect, useState } from 'react'
import type { Draft } from '../catalog/generationBody.ts'
import { addressOf, type PlaygroundState, readAddress, rememberedState, rememberState } from './playgroundAddress.ts'
import type { ListedFamily } from './playgroundQueries.ts'

const writeAfterMs = 300

/** A first request, so that a newcomer can run it at once. */
const examplePrompt = 'A lighthouse at dusk, in oil'

/**
 * The request of the form, and the shown results. They are kept in the address, without an entry in the browser's history for each key
 * press. Without a request in the address it begins with the last one of this browser, and for a newcomer with an example.
 */
export function usePlaygroundState(teamId: string, families: readonly ListedFamily[]) {
  const [state, setState] = useState<PlaygroundState>(() => initialState(teamId, families))
  useEffect(() => {
    const timer = setTimeout(() => {
      // The router keeps its own entry: only the query changes.
      window.history.replaceState(window.history.state, '', `${window.location.pathname}?${addressOf(state)}`)
      rememberState(teamId, state)
    }, writeAfterMs)
    return () => clearTimeout(timer)
  }, [teamId, state])

  return {
    state,
    change: useCallback((changes: Partial<Draft>) => setState((now) => ({ ...now, draft: { ...now.draft, ...changes } })), []),
    /** Keeps the prompt and the inputs, which most families take. */
    chooseFamily: useCallback(
      (familyId: string) => setState((now) => ({ ...now, familyId, draft: { ...now.draft, modelId: '', parameters: {} } })),
      [],
    ),
    load: useCallback((familyId: string, draft: Draft) => setState((now) => ({ ...now, familyId, draft })), []),
    show: useCallback(
      (result: string | undefined) => setState((now) => ({ ...now, result, compared: otherThan(now.compared, result) })),
      [],
    ),
    compare: useCallback((compared: string | undefined) => setState((now) => ({ ...now, compared: otherThan(compared, now.result) })), []),
  }
}

function otherThan(id: string | undefined, other: string | undefined): string | undefined {
  return id === other ? undefined : id
}

function initialState(teamId: string, families: readonly ListedFamily[]): PlaygroundState {
  const asked = readAddress(window.location.search) ?? rememberedState(teamId)
  if (asked) return asked
  const usable = families.filter(({ available }) => available)
  const family = usable.find(({ tasks }) => tasks.includes('text-to-image')) ?? usable[0] ?? families[0]
  const draft = { modelId: '', prompt: examplePrompt, parameters: {}, media: {} }
  return { familyId: family?.id ?? '', draft, result: undefined, compared: undefined }
}
