import type { Client } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { GenerationQuery, type HistoryPage, HistoryQuery, type HistoryRow, type HistoryVariables } from './historyQuery.ts'

const pageRows = 25
/** How many short pages are continued automatically. */
const shortPagesMax = 8

type Answer = { page: (Omit<HistoryPage, 'nodes'> & { nodes: HistoryRow[] }) | undefined; failure: Failure | undefined }

/** Reads until the page is full or the history ends: combined filters may return short pages. */
export async function readHistoryPage(
  client: Client,
  variables: HistoryVariables,
  { after = null, pagesMax = shortPagesMax }: { after?: string | null | undefined; pagesMax?: number } = {},
): Promise<Answer> {
  const nodes: HistoryRow[] = []
  let from = after
  for (let pages = 1; ; pages += 1) {
    const wanted = { ...variables, first: pageRows - nodes.length, after: from }
    const { data, error } = await client.query(HistoryQuery, wanted, { requestPolicy: 'network-only' }).toPromise()
    const page = data?.team?.generations
    if (!page) return { page: undefined, failure: error && failureOf(error) }
    nodes.push(...page.nodes)
    from = page.pageInfo.endCursor
    if (nodes.length >= pageRows || !page.pageInfo.hasNextPage || pages >= pagesMax) return { page: { ...page, nodes }, failure: undefined }
  }
}

/** Reads the current state of the rows that are accessible. */
export async function readRows(client: Client, teamId: string, rows: readonly HistoryRow[]): Promise<HistoryRow[]> {
  const answers = await Promise.all(
    rows.map(({ generationId: id }) => client.query(GenerationQuery, { teamId, id }, { requestPolicy: 'network-only' }).toPromise()),
  )
  return answers.map(({ data }) => data?.team?.generation).filter((row) => row !== undefined)
}
