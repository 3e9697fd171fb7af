import { enumName } from '../../contract/enumName.ts'

/** GraphQL names of our own values: `catalog:read` is CATALOG_READ outside. Contract: docs/contract.md#graphql-errors. */
export function enumValues<const Value extends string>(values: readonly Value[]): Record<string, { value: Value }> {
  return Object.fromEntries(values.map((value) => [enumName(value), { value }]))
}
