import { join } from 'node:path'
import type { VendorUnderTest } from './vendorUnderTest.ts'

/** Where the families of a vendor are. */
export function catalogFolderOf({ vendor, catalogFolder }: VendorUnderTest): string {
  return catalogFolder ?? join(import.meta.dirname, '..', '..', '..', 'catalog', vendor.id)
}
