import type { ServerContext } from '@modelcontextprotocol/server'

/** Contains the revision of the client; the first revision did not have this header. */
const versionHeader = 'mcp-protocol-version'

/** The only revision with batches. */
export const batchRevision = '2025-03-26'

/** Whether the client supports resource links in tool results. */
export function supportsResourceLinks({ mcpReq, http }: ServerContext): boolean {
  return mcpReq.envelope !== undefined || revisionOf(http?.req?.headers.get(versionHeader)) !== batchRevision
}

/** The revision in a header. */
export function revisionOf(header: string | null | undefined): string {
  return header ?? batchRevision
}
