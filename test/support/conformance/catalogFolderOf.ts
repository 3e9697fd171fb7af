import { join } from 'node:path'
import type { VendorUnderTest } from './vendorUnderTest.ts'

/** The catalog folder of a vendor. */
export function catalogFolderOf({ vendor, catalogFolder }: VendorUnderTest): string {
  return catalogFolder ?? join(import.meta.dirname, '..', '..', '..', 'catalog', vendor.id)
}
