import { PageHeading } from '../../ui/PageHeading.tsx'

export function CatalogPage() {
  return <PageHeading title="Catalog" />
}
