import type { ReactNode } from 'react'
import { useClient } from 'urql'
import { useTeam } from '../../../api/viewer.ts'
import { GenerationQuery, type HistoryRow } from '../historyQuery.ts'
import { dropLink, resultPath } from '../resultLinks.ts'
import { FilePicture } from './FilePicture.tsx'
import { useRetriedLink } from './useRetriedLink.ts'

type Pictured = Pick<HistoryRow, 'generationId' | 'outputType'> & { result: Omit<NonNullable<HistoryRow['result']>, 'deletedAt'> | null }

/** The small picture of a finished generation, or `children` where there is none. Decorative without `alt`. */
export function ResultPicture({ generation, alt = '', children }: { generation: Pictured; alt?: string; children: ReactNode }) {
  const { generationId: id, outputType: type, result } = generation
  const { id: teamId } = useTeam()
  const client = useClient()
  const link = useRetriedLink(resultPath(id, result), async (old) => {
    dropLink(id, old)
    const { data } = await client.query(GenerationQuery, { teamId, id }, { requestPolicy: 'network-only' }).toPromise()
    return resultPath(id, data?.team?.generation?.result ?? null)
  })
  if (!result) return children
  const { mimeType, sizeBytes, durationSeconds } = result
  return (
    <FilePicture file={{ id, type, mimeType, sizeBytes, durationSeconds }} link={link} alt={alt}>
      {children}
    </FilePicture>
  )
}
