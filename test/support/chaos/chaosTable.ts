import type { Bill } from '../billing/work.ts'
import { reportTable } from '../reportTable.ts'
import type { Fault } from './faults.ts'
import type { Outcome } from './playFault.ts'

type CheckedFault = Pick<Fault, 'name' | 'words' | 'mayLoseRecentWork' | 'mayLosePaid' | 'recoverySecondsMax'> & { kind: string }

/** The columns of {@link cellsOf}. */
export const chaosColumns = [
  'fault',
  'acknowledged, lost',
  'ended well, otherwise',
  'started twice, credits wrong or held',
  'events missing, gaps, repeats',
  '5xx, without Retry-After, no answer',
  'answers, work, events recovered after',
  'results broken',
  'made and billed by the vendor, not delivered',
]
const { row, table, withRows: withNamedRows } = reportTable('## The table of faults', chaosColumns)
const secondsMax = 15
/** For an interrupted submit: its process may have lost only its connections, and still record the vendor's answer. */
const unknownSecondsMax = 45

/** A description of each broken promise. */
export function brokenGuarantees(fault: CheckedFault, outcome: Outcome): string[] {
  const { lost, duplicateStarts, creditsMismatch, creditsHeld, booksBalanced, missingEvents, gaps, forged, broken, bill, endedInTime } =
    outcome
  const late = Math.max(outcome.answersAfter, outcome.endsAfter, outcome.eventsAfter)
  const faults: [boolean, string][] = [
    [lost > 0, `${lost} acknowledged generations are lost`],
    [
      outcome.unknownAfterwards > 0 && fault.kind !== 'standby',
      `${outcome.unknownAfterwards} acknowledged generations are unknown afterwards`,
    ],
    [duplicateStarts > 0, `${duplicateStarts} keys started twice`],
    [creditsMismatch > 0 || creditsHeld > 0, `${creditsMismatch} credits wrong, ${creditsHeld} held`],
    [!booksBalanced, 'doctor reports a fault of the books'],
    [missingEvents > 0 || gaps > 0, `${missingEvents} events missing, ${gaps} gaps`],
    [outcome.unknownEvents > 0 && !fault.mayLoseRecentWork, `${outcome.unknownEvents} events that are not in the log`],
    [forged > 0, `${forged} webhooks had a wrong signature`],
    [outcome.refusedWithoutRetryAfter > 0, `${outcome.refusedWithoutRetryAfter} answers of 5xx without Retry-After`],
    [broken > 0, `${broken} results are broken`],
    [
      bill.undelivered > mayBeLost(fault, bill),
      `${bill.undelivered} works were billed and not delivered, ${bill.repeated} of them repeats`,
    ],
    [!endedInTime, 'open work or deliveries remained'],
    [late > (fault.recoverySecondsMax ?? secondsMax), `not recovered after ${late.toFixed(1)} s`],
    [outcome.unknownAfter > unknownSecondsMax, `interrupted submits ended after ${outcome.unknownAfter.toFixed(1)} s`],
  ]
  return faults.filter(([is]) => is).map(([, words]) => words)
}

function mayBeLost({ mayLosePaid }: CheckedFault, { unanswerable }: Bill): number {
  if (mayLosePaid === 'any') return Infinity
  return mayLosePaid === 'unanswerable' ? unanswerable : 0
}

/** One row of the table, with numbers. */
export function rowOf(fault: CheckedFault, outcome: Outcome): string {
  return row(cellsOf(fault, outcome))
}

/** The cells of a row. */
export function cellsOf(fault: CheckedFault, outcome: Outcome): string[] {
  const ends = Object.entries(outcome.ends).map(([name, count]) => `${count} ${name}`)
  if (outcome.unknownAfter > 0) ends.push(`the last ended after ${outcome.unknownAfter.toFixed(1)} s`)
  const forgotten = outcome.unknownAfterwards > 0 ? `; ${outcome.unknownAfterwards} unknown afterwards, started again` : ''
  const unknown = outcome.unknownEvents > 0 ? `; ${outcome.unknownEvents} not in the log` : ''
  return [
    `\`${fault.name}\`: ${fault.words}`,
    `${outcome.started}, ${outcome.lost}${forgotten}`,
    `${outcome.ready}, ${ends.length > 0 ? ends.join(', ') : 0}`,
    `${outcome.duplicateStarts}, ${outcome.creditsMismatch + outcome.creditsHeld}`,
    `${outcome.missingEvents}, ${outcome.gaps}, ${outcome.repeats}${unknown}`,
    `${outcome.refused}, ${outcome.refusedWithoutRetryAfter}, ${outcome.unanswered}`,
    [outcome.answersAfter, outcome.endsAfter, outcome.eventsAfter].map((seconds) => `${seconds.toFixed(1)} s`).join(', '),
    String(outcome.broken),
    `${outcome.bill.undelivered} of ${outcome.bill.billed}`,
  ]
}

export function skippedRow(fault: Fault, why: string): string {
  return row([`\`${fault.name}\`: ${fault.words}`, `not tried: ${why}`])
}

export const tableOf = table

/** Replaces the rows of these faults in the document's table, in the order of `faults`. */
export function withRows(document: string, rows: ReadonlyMap<string, string>, faults: readonly Fault[]): string {
  return withNamedRows(
    document,
    rows,
    faults.map(({ name }) => name),
  )
}
