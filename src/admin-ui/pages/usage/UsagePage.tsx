import { PageHeading } from '../../ui/PageHeading.tsx'

export function UsagePage() {
  return <PageHeading title="Usage" />
}
