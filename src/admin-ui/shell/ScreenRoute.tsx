import { type ReactNode, useEffect, useState } from 'react'
import { useOptionalTeam } from '../api/viewer.ts'
import { NotFoundPage } from '../pages/NotFoundPage.tsx'
import type { TeamScreenId } from '../paths.ts'
import type { Screen } from '../screens.ts'
import { LazyPart } from '../ui/feedback/LazyPart.tsx'
import { reloadWhenServed } from '../ui/feedback/reloadWhenServed.ts'
import { PageSkeleton } from '../ui/feedback/Skeletons.tsx'
import { UpdateNotice } from '../ui/feedback/UpdateNotice.tsx'
import { screensFor } from './screensFor.ts'

/** A screen with its permission check. An error in it does not affect the navigation. Without `id` it belongs to no team. */
export function ScreenRoute({ id, screen }: { id?: TeamScreenId; screen: Screen }) {
  const team = useOptionalTeam()
  if (id !== undefined && !(team && screensFor(team.role).includes(id))) return <NotFoundPage />
  return (
    <LazyPart key={id} fallback={<PageSkeleton />} failed={<UpdateNotice title="This page has failed" />}>
      <LoadedScreen screen={screen} fallback={<PageSkeleton />} />
    </LazyPart>
  )
}

/** The end of a load. */
type Loaded = { screen: Screen; hasFailed: boolean }

/** Unlike `lazy`, it shows a loaded page in the first render: React keeps a fallback for at least 300 ms, also of a loaded chunk. */
export function LoadedScreen({ screen, fallback }: { screen: Screen; fallback: ReactNode }) {
  const [loaded, setLoaded] = useState<Loaded>()
  const { Page } = screen
  useEffect(() => {
    if (Page) return
    screen.load().then(
      () => setLoaded({ screen, hasFailed: false }),
      () => setLoaded({ screen, hasFailed: true }),
    )
  }, [Page, screen])
  if (Page) return <Page />
  if (loaded?.screen !== screen || !loaded.hasFailed) return fallback
  // After an update, the service has no files of the former release. Browsers keep the failure of a module until the page is reloaded.
  return <UpdateNotice title="The page could not be loaded" onRetry={() => void reloadWhenServed()} />
}
