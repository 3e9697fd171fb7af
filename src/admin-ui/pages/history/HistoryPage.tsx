import { PageHeading } from '../../ui/PageHeading.tsx'

export function HistoryPage() {
  return <PageHeading title="History" />
}
