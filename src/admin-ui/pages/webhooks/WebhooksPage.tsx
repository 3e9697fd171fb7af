import { PageHeading } from '../../ui/PageHeading.tsx'

export function WebhooksPage() {
  return <PageHeading title="Webhooks" />
}
