import { Alert, Button, Text } from '@mantine/core'
import { Component, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useOptionalTeam } from '../api/viewer.ts'
import { NotFoundPage } from '../pages/NotFoundPage.tsx'
import type { TeamScreenId } from '../paths.ts'
import type { Screen } from '../screens.ts'
import { reloadWhenServed } from '../ui/feedback/reloadWhenServed.ts'
import { PageSkeleton } from '../ui/feedback/Skeletons.tsx'
import { UpdateNotice } from '../ui/feedback/UpdateNotice.tsx'
import { screensFor } from './screensFor.ts'

/** A screen with its permission check. An error in it does not affect the navigation. Without `id` it belongs to no team. */
export function ScreenRoute({ id, screen }: { id?: TeamScreenId; screen: Screen }) {
  const team = useOptionalTeam()
  if (id !== undefined && !(team && screensFor(team.role).includes(id))) return <NotFoundPage />
  return (
    <PageBoundary key={id}>
      <Suspense fallback={<PageSkeleton />}>
        <LoadedScreen screen={screen} fallback={<PageSkeleton />} />
      </Suspense>
    </PageBoundary>
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

/** Catches errors of a page, also a missing chunk of one of its parts after an update, which a reload fixes. */
class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <Alert color="red" title="This page has failed" role="alert">
        <Text size="sm">An error occurred, or Atelier was updated. Reloading the page usually helps.</Text>
        <Button mt="sm" size="xs" variant="default" onClick={() => location.reload()}>
          Reload
        </Button>
      </Alert>
    )
  }
}
