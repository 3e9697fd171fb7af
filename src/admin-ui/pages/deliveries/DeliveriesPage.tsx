import { PageHeading } from '../../ui/PageHeading.tsx'

export function DeliveriesPage() {
  return <PageHeading title="Deliveries" />
}
