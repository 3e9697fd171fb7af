import { PageHeading } from '../../ui/PageHeading.tsx'

export function TeamPage() {
  return <PageHeading title="Team" />
}
