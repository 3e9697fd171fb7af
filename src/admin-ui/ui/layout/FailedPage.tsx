import { ErrorNotice, type ErrorNoticeProps } from '../feedback/ErrorNotice.tsx'
import { PageHeading } from './PageHeading.tsx'

/** The page of an object that could not be loaded. `heading`: its kind. */
export function FailedPage({ heading, ...notice }: ErrorNoticeProps & { heading: string }) {
  return (
    <>
      <PageHeading title={heading} />
      <ErrorNotice {...notice} />
    </>
  )
}
