import type { Findings } from '../../../test/support/chaos/audit.ts'

/** Describes each broken promise of {@link Findings}. Only a kill may lose the answer of an open submit. */
export function brokenPromises(findings: Findings, { killed }: { killed: boolean }): string[] {
  const { lost, duplicateStarts, creditsMismatch, creditsHeld, missingEvents, gaps, unknownEvents, broken, bill, ends } = findings
  const otherEnds = Object.keys(ends).filter((end) => !(killed && end === 'internal_error/submit_unknown'))
  const faults: [boolean, string][] = [
    [lost > 0, `${lost} acknowledged generations are lost or did not end`],
    [duplicateStarts > 0, `${duplicateStarts} idempotency keys started twice`],
    [creditsMismatch > 0 || creditsHeld > 0, `the account differs by ${creditsMismatch} credits, ${creditsHeld} are still held`],
    [missingEvents > 0 || gaps > 0, `${missingEvents} generations without exactly one delivered event, ${gaps} gaps in the event numbers`],
    [unknownEvents > 0, `${unknownEvents} events are not in the delivery log`],
    [broken > 0, `${broken} results are broken`],
    [bill.repeated > 0, `${bill.repeated} generations were billed twice`],
    [bill.undelivered > (killed ? bill.unanswerable : 0), `${bill.undelivered} billed results were not delivered`],
    [otherEnds.length > 0, `generations ended as ${JSON.stringify(ends)}`],
  ]
  return faults.filter(([isBroken]) => isBroken).map(([, words]) => words)
}

/** Returns the counts of findings without a broken promise, in one line. */
export function summaryOf({ started, ready, ends, bill }: Findings): string {
  const others = Object.entries(ends).map(([end, count]) => `, ${count} ${end}`)
  return `${started} acknowledged, ${ready} ready${others.join('')}; ${bill.billed} billed, none twice; books balance`
}
