import { useState } from 'react'
import type { CombinedError } from 'urql'
import { failureOf } from '../../api/failure.ts'

/**
 * Returns the data of a polled query. After a failed poll it returns the last data, so that an open form stays open, and after
 * `access_denied` nothing.
 */
export function useLastData<Data extends object>(data: Data | null | undefined, error: CombinedError | undefined): Data | undefined {
  const [last, setLast] = useState<Data>()
  if (data && data !== last) setLast(data)
  if (data) return data
  return error && failureOf(error).code !== 'access_denied' ? last : undefined
}
