import { type ComponentType, Suspense } from 'react'
import { useTeamIfAny } from '../api/viewer.ts'
import { NotFoundPage } from '../pages/NotFoundPage.tsx'
import type { TeamScreenId } from '../paths.ts'
import { PageSkeleton } from '../ui/Skeletons.tsx'
import { PageBoundary } from './PageBoundary.tsx'
import { screensFor } from './screensFor.ts'

/** One screen, for whoever may see it; a fault in it leaves the navigation alone. Without `id` it belongs to no team. */
export function ScreenOf({ id, screen: Screen }: { id?: TeamScreenId; screen: ComponentType }) {
  const team = useTeamIfAny()
  if (id !== undefined && !(team && screensFor(team.role).includes(id))) return <NotFoundPage />
  return (
    <PageBoundary key={id}>
      <Suspense fallback={<PageSkeleton />}>
        <Screen />
      </Suspense>
    </PageBoundary>
  )
}
