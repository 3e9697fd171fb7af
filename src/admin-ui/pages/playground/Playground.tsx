import { Stack } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { memo, startTransition, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { FamilyQuery, familyOf } from '../catalog/catalogQueries.ts'
import { CannotRun } from './CannotRun.tsx'
import { EarlierRuns } from './EarlierRuns.tsx'
import { FamilyChoice } from './FamilyChoice.tsx'
import classes from './Playground.module.css'
import type { ListedFamily, Member, PersonRuns } from './playgroundQueries.ts'
import { RequestForm, type RequestFormProps } from './RequestForm.tsx'
import { ResultPanel } from './ResultPanel.tsx'
import { usePlaygroundState } from './usePlaygroundState.ts'
import { useRecentRuns } from './useRecentRuns.ts'

export type PlaygroundProps = {
  families: readonly ListedFamily[]
  runs: PersonRuns
  /** What each person may spend on a day; null for no ceiling. */
  dailyLimit: number | null
  members: readonly Member[]
  /** Called after a run ended, when credits and ceilings have changed. */
  onEnded(): void
}

/**
 * The form, the result beside it, and the earlier runs below. The same request as code comes last, so that a narrow window shows the result
 * before it.
 */
export function Playground({ families, runs, dailyLimit, members, onEnded }: PlaygroundProps) {
  const team = useTeam()
  const playground = usePlaygroundState(team.id, families)
  const { familyId, draft, result, compared } = playground.state
  const recent = useRecentRuns(team.id)
  const mayRun = runs.blocker === null
  const resultArea = useRef<HTMLDivElement>(null)
  const [codeArea, setCodeArea] = useState<HTMLElement | null>(null)
  const placeCode = useCallback((area: HTMLElement | null) => startTransition(() => setCodeArea(area)), [])
  const started = useCallbackRef((id: string) => {
    playground.show(id)
    recent.reload()
    reveal(resultArea.current)
  })
  const ended = () => {
    recent.reload()
    onEnded()
  }
  return (
    <div className={classes.areas}>
      <div className={classes.form}>
        <Stack gap="md">
          {runs.blocker !== null && <CannotRun blocker={runs.blocker} members={members} />}
          <FamilyChoice families={families} familyId={familyId} onChoose={playground.chooseFamily} />
          <MemoFamilyForm {...{ familyId, draft, mayRun, runs, dailyLimit, codeArea }} onChange={playground.change} onStarted={started} />
        </Stack>
      </div>
      <div className={classes.result} ref={resultArea}>
        <Stack gap="lg">
          <ResultPanel
            families={families}
            ids={[result, compared].filter((id) => id !== undefined)}
            mayRun={mayRun}
            onEdit={playground.load}
            onStarted={started}
            onEnded={ended}
            onClose={(id) => (id === compared ? playground.compare(undefined) : playground.show(compared))}
          />
          <EarlierRuns
            families={families}
            recent={recent}
            result={result}
            compared={compared}
            onShow={playground.show}
            onCompare={playground.compare}
          />
        </Stack>
      </div>
      <div className={classes.code} ref={placeCode} />
    </div>
  )
}

/** Scrolls to the result where it is below the form, so that `Run` visibly does something on a narrow window. */
function reveal(element: HTMLElement | null): void {
  if (element !== null && element.getBoundingClientRect().top > window.innerHeight / 2) element.scrollIntoView({ block: 'start' })
}

/** Not rendered again with the results beside it. */
const MemoFamilyForm = memo(FamilyForm)

/** The form of the chosen family, once it is loaded. */
function FamilyForm({ familyId, ...form }: Omit<RequestFormProps, 'family'> & { familyId: string }) {
  const { id: teamId } = useTeam()
  const [{ data: latest, error }, refetch] = useQuery({ query: FamilyQuery, variables: { id: familyId, teamId }, pause: familyId === '' })
  // Rendered in short tasks, because the form is large.
  const data = useDeferredValue(latest)
  const read = data?.family?.id === familyId ? data.family : undefined
  const family = useMemo(() => read && familyOf(read), [read])
  if (error)
    return (
      <ErrorNotice
        title="The family could not be loaded"
        failure={failureOf(error)}
        onRetry={() => refetch({ requestPolicy: 'network-only' })}
      />
    )
  if (family) return <RequestForm key={family.id} family={family} {...form} />
  // As high as a form on a phone, where the results are below it, so that they do not move.
  return data?.family === null || familyId === '' ? null : <BlockSkeleton height={720} />
}
