import { PageHeading } from '../../ui/PageHeading.tsx'

export function AgentsPage() {
  return <PageHeading title="Agents" />
}
