import type { ResultOf } from 'gql.tada'
import { useClient, useQuery } from 'urql'
import { graphql } from '../../../api/graphql.ts'
import { useTeam } from '../../../api/viewer.ts'
import { usePollWhileVisible } from '../../../ui/hooks/usePollWhileVisible.ts'

const InputFilesQuery = graphql(`
  query InputFiles($teamId: ID!, $ids: [ID!]!) {
    team(id: $teamId) {
      id
      inputFiles(ids: $ids) {
        fileId
        state
        type
        mimeType
        sizeBytes
        durationSeconds
        thumbnailUrl
        contentUrl
      }
    }
  }
`)

export type InputFile = NonNullable<ResultOf<typeof InputFilesQuery>['team']>['inputFiles'][number]

/** The service answers for this number of files. */
const idsMax = 20
const processingSeconds = 3

/**
 * The uploaded files among inputs. Files that are still processed are read again. `fileOf` returns null for a file that is unknown or
 * expired, and undefined before the answer.
 */
export function useInputFiles(inputIds: readonly string[]) {
  const { id: teamId } = useTeam()
  const client = useClient()
  const ids = [...new Set(inputIds)].filter((id) => id.startsWith('file_')).slice(0, idsMax)
  const variables = { teamId, ids }
  const [{ data, fetching }] = useQuery({ query: InputFilesQuery, variables, pause: ids.length === 0 })
  const files = data?.team?.inputFiles
  const find = (found: readonly InputFile[] | undefined, id: string) => found?.find(({ fileId }) => fileId === id)
  const renew = async (id: string) => {
    const { data: renewed } = await client.query(InputFilesQuery, variables, { requestPolicy: 'network-only' }).toPromise()
    return find(renewed?.team?.inputFiles, id)
  }
  const isProcessing = files?.some(({ state }) => state === 'PROCESSING') ?? false
  usePollWhileVisible(isProcessing ? processingSeconds : undefined, async () => void (await renew('')))
  return { fileOf: (id: string) => find(files, id) ?? (files && !fetching && ids.includes(id) ? null : undefined), renew }
}
