import { noProgress, type ShowProgress } from '../../database/progress.ts'

/** A check of `doctor`: returns one line, or throws with one line. `costly` ones are repeated less often by a watch. */
export type Check = { name: string; run(showProgress: ShowProgress): Promise<string>; costly?: boolean }

/** A fault with the moment at which it began, where the database has it. */
export class CheckFault extends Error {
  readonly since: Date | undefined

  constructor(message: string, since?: Date) {
    super(message)
    this.name = 'CheckFault'
    this.since = since
  }
}

/** Joins several faults into one, which began when the earliest of them did, if that is known. */
export function faultSince(faults: readonly { words: string; since?: Date | undefined }[]): CheckFault {
  const moments = faults.flatMap(({ since }) => (since ? [since.getTime()] : []))
  return new CheckFault(faults.map(({ words }) => words).join('; '), moments.length === 0 ? undefined : new Date(Math.min(...moments)))
}

export type CheckResult = {
  name: string
  ok: boolean
  detail: string
  since?: Date | undefined
  /** The name of the advice, where it differs from that of the check. */
  advised?: string
}

/** Runs a check to its end. Never rejects. */
export async function resultOf({ name, run }: Check, showProgress = noProgress): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: await run(showProgress) }
  } catch (error) {
    return faultOf(name, error)
  }
}

export function faultOf(name: string, error: unknown): CheckResult {
  const detail = error instanceof Error ? error.message : String(error)
  return { name, ok: false, detail, since: error instanceof CheckFault ? error.since : undefined }
}
