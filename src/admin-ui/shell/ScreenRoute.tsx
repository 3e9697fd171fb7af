import { Alert, Button, Text } from '@mantine/core'
import { Component, type ComponentType, type ReactNode, Suspense } from 'react'
import { useOptionalTeam } from '../api/viewer.ts'
import { NotFoundPage } from '../pages/NotFoundPage.tsx'
import type { TeamScreenId } from '../paths.ts'
import { PageSkeleton } from '../ui/feedback/Skeletons.tsx'
import { screensFor } from './screensFor.ts'

/** A screen with its permission check. An error in it does not affect the navigation. Without `id` it belongs to no team. */
export function ScreenRoute({ id, screen: Screen }: { id?: TeamScreenId; screen: ComponentType }) {
  const team = useOptionalTeam()
  if (id !== undefined && !(team && screensFor(team.role).includes(id))) return <NotFoundPage />
  return (
    <PageBoundary key={id}>
      <Suspense fallback={<PageSkeleton />}>
        <Screen />
      </Suspense>
    </PageBoundary>
  )
}

/** Catches errors of a page, also a missing chunk after an update, which a reload fixes. */
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
          Load again
        </Button>
      </Alert>
    )
  }
}
