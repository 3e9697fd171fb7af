/** The GraphQL name of one of our own values: `catalog:read` is CATALOG_READ. Contract: docs/contract.md#graphql-errors. */
export function enumName(value: string): string {
  return value.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}
