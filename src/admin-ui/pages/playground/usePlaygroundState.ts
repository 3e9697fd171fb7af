import { useCallback, useEffect, useState } from 'react'
import { type Location, useLocation, useNavigate, useNavigationType } from 'react-router'
import type { Draft } from '../catalog/generationBody.ts'
import { addressOf, type PlaygroundState, readAddress, rememberedState, rememberState } from './playgroundAddress.ts'
import type { ListedFamily } from './playgroundQueries.ts'

const writeAfterMs = 300

/** A first request, so that a newcomer can run it at once. */
const examplePrompt = 'A lighthouse at dusk, in oil'

/** An entry of the browser's history for an opened result: the key of the page, and what was opened. */
export type PlaygroundEntry = { playground: string; opened: 'result' | 'compared' } | null

/**
 * The request of the form, and the shown results. They are kept in the address, without an entry in the browser's history for each key
 * press. An opened result and an opened comparison each add an entry, so that Back closes them. Without a request in the address it begins
 * with the last one of this browser, and for a newcomer with an example.
 */
export function usePlaygroundState(teamId: string, families: readonly ListedFamily[]) {
  const [state, setState] = useState<PlaygroundState>(() => initialState(teamId, families))
  const location = useLocation() as Location<PlaygroundEntry>
  const navigate = useNavigate()
  const isBack = useNavigationType() === 'POP'
  const [entryKey, setEntryKey] = useState(location.key)
  if (entryKey !== location.key) {
    setEntryKey(location.key)
    // The form stays as it is: Back only closes results.
    if (isBack) setState((now) => ({ ...now, ...resultsIn(location.search) }))
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      // The router keeps its own entry: only the query changes.
      window.history.replaceState(window.history.state, '', `${window.location.pathname}?${addressOf(state)}`)
      rememberState(teamId, state)
    }, writeAfterMs)
    return () => clearTimeout(timer)
  }, [teamId, state])

  const open = (results: Pick<PlaygroundState, 'result' | 'compared'>) => {
    const opened = (['compared', 'result'] as const).find((each) => state[each] === undefined && results[each] !== undefined)
    const closed = (['compared', 'result'] as const).find((each) => state[each] !== undefined && results[each] === undefined)
    if (closed !== undefined && location.state?.opened === closed) return void navigate(-1)
    setState((now) => ({ ...now, ...results }))
    if (opened === undefined) return
    const entry = { playground: location.state?.playground ?? location.key, opened }
    void navigate({ search: addressOf({ ...state, ...results }) }, { state: entry, preventScrollReset: true })
  }
  return {
    state,
    change: useCallback((changes: Partial<Draft>) => setState((now) => ({ ...now, draft: { ...now.draft, ...changes } })), []),
    /** Keeps the prompt and the inputs, which most families take. */
    chooseFamily: useCallback(
      (familyId: string) => setState((now) => ({ ...now, familyId, draft: { ...now.draft, modelId: '', parameters: {} } })),
      [],
    ),
    load: useCallback((familyId: string, draft: Draft) => setState((now) => ({ ...now, familyId, draft })), []),
    show: (result: string | undefined) => open({ result, compared: otherThan(state.compared, result) }),
    compare: (compared: string | undefined) => open({ result: state.result, compared: otherThan(compared, state.result) }),
  }
}

function resultsIn(search: string): Pick<PlaygroundState, 'result' | 'compared'> {
  const { result, compared } = readAddress(search) ?? {}
  return { result, compared }
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
