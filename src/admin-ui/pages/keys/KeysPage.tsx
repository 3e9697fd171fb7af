import { PageHeading } from '../../ui/PageHeading.tsx'

export function KeysPage() {
  return <PageHeading title="API keys" />
}
