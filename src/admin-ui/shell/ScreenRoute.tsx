import { type ComponentType, Suspense } from 'react'
import { useOptionalTeam } from '../api/viewer.ts'
import { NotFoundPage } from '../pages/NotFoundPage.tsx'
import type { TeamScreenId } from '../paths.ts'
import { PageSkeleton } from '../ui/feedback/Skeletons.tsx'
import { PageBoundary } from './PageBoundary.tsx'
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
