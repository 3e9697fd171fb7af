import type { TeamScreenId } from '../../paths.ts'
import { ErrorNotice, type ErrorNoticeProps } from '../feedback/ErrorNotice.tsx'
import { LinkToList } from './LinkToList.tsx'
import { PageHeading } from './PageHeading.tsx'

/** The page of an object that could not be loaded. `heading`: its kind, `list`: the screen of its list. */
export function FailedPage({ heading, list, ...notice }: ErrorNoticeProps & { heading: string; list: TeamScreenId }) {
  return (
    <>
      <LinkToList screen={list} />
      <PageHeading title={heading} />
      <ErrorNotice {...notice} />
    </>
  )
}
