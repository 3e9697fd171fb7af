import type { ServerContext } from '@modelcontextprotocol/server'

/** The revision that an older client names with each request; the first one did not do that yet. */
const versionHeader = 'mcp-protocol-version'

/** The one that took several messages at once. */
export const batchRevision = '2025-03-26'

/** Whether a client knows links to resources among the content of an answer. */
export function supportsResourceLinks({ mcpReq, http }: ServerContext): boolean {
  return mcpReq.envelope !== undefined || revisionOf(http?.req?.headers.get(versionHeader)) !== batchRevision
}

/** The revision that a header names. */
export function revisionOf(header: string | null | undefined): string {
  return header ?? batchRevision
}
