import { useState } from 'react'
import type { CombinedError } from 'urql'
import { failureOf } from '../../api/failure.ts'

/** Returns the object that a polled query found. After a failed poll it is the last one, since an open form must not close; after a refusal it is none. */
export function useLastData<Data extends object>(data: Data | null | undefined, error: CombinedError | undefined): Data | undefined {
  const [last, setLast] = useState<Data>()
  if (data && data !== last) setLast(data)
  if (data) return data
  return error && failureOf(error).code !== 'access_denied' ? last : undefined
}
