import { issuesMax } from '../../contract/refusals/issues.ts'
import { type Issue, Refusal } from '../../contract/refusals/refusals.ts'

/** `modelId` is `null` when no variant was chosen. Contract: docs/contract.md#choose-a-variant. */
export function invalidParameters(issues: Issue[], modelId: string | null): Refusal {
  const [first] = issues
  return new Refusal(
    'invalid_parameters',
    { issues: issues.slice(0, issuesMax), modelId },
    first && issues.length === 1 ? { message: first.message } : {},
  )
}
