import type { Failure } from '../../api/failure.ts'
import type { Variant } from './catalogQueries.ts'
import { formatCount, mediumNames } from './familyLabels.ts'
import { isObject } from './schemaFields.ts'

/** Error messages by field of the request: `prompt`, `imageIds`, `parameters.width`. */
export type FieldIssues = Readonly<Record<string, string>>

/** The issues of a refusal that belong to a field of the form. Others are shown for the whole request. */
export function fieldIssues({ code, message, details }: Failure, variant: Variant): FieldIssues {
  const issues = Array.isArray(details['issues']) ? details['issues'].filter(isObject) : []
  const found = issues.flatMap((issue): [string, string][] => {
    const path = Array.isArray(issue['path']) ? issue['path'].filter((step) => typeof step === 'string') : []
    return path.length > 0 && typeof issue['message'] === 'string' ? [[path.join('.'), issue['message']]] : []
  })
  if (found.length > 0) return Object.fromEntries(found.toReversed())
  if (code === 'variant_not_resolved') return wrongCounts(details, variant)
  if (typeof details['field'] === 'string') return { [details['field']]: message }
  return code === 'file_not_ready' || code === 'file_processing_failed' || code === 'file_metadata_missing' ? atMedia(message, variant) : {}
}

function wrongCounts(details: Record<string, unknown>, variant: Variant): FieldIssues {
  const named = [details['missingInputs'], details['excessInputs']].flatMap((list) => (Array.isArray(list) ? list : []))
  return Object.fromEntries(
    mediumNames
      .map((medium) => ({ medium, input: variant.inputs[medium] }))
      .filter(({ input }) => input.max > 0 && named.includes(input.field))
      .map(({ medium, input }) => [input.field, `Takes ${formatCount(medium, input)}.`]),
  )
}

function atMedia(message: string, variant: Variant): FieldIssues {
  const taken = mediumNames.map((medium) => variant.inputs[medium]).filter(({ max }) => max > 0)
  return Object.fromEntries(taken.slice(0, 1).map(({ field }) => [field, message]))
}
