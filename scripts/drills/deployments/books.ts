import type { Findings } from '../../../test/support/chaos/audit.ts'
import type { Balancer } from '../../../test/support/chaos/balancer.ts'
import { clientOf } from '../../../test/support/chaos/load.ts'
import type { ChaosTeam, Operator } from '../../../test/support/chaos/operator.ts'

/** The whole history and the account of a team, to compare a restored deployment with the original. */
export type Books = { generations: string[]; creditsAvailable: number; creditsHeld: number }

export async function readBooks(balancer: Balancer, operator: Operator, team: ChaosTeam): Promise<Books> {
  const generations: string[] = []
  for await (const { generationId, state, creditsCharged, result } of clientOf(balancer, team.key).history({ pageItems: 50 }))
    generations.push(`${generationId} ${state} ${creditsCharged} ${result?.sizeBytes}`)
  const { creditsAvailable, creditsHeld } = await operator.account(team)
  return { generations: generations.toSorted(), creditsAvailable, creditsHeld }
}

/** A description of each broken promise. Only a kill may lose the answer of an open submit. */
export function brokenPromises(findings: Findings, { killed }: { killed: boolean }): string[] {
  const { lost, duplicateStarts, creditsMismatch, creditsHeld, untold, gaps, unknownEvents, broken, bill, ends } = findings
  const otherEnds = Object.keys(ends).filter((end) => !(killed && end === 'internal_error/submit_unknown'))
  const faults: [boolean, string][] = [
    [lost > 0, `${lost} acknowledged generations are lost or did not end`],
    [duplicateStarts > 0, `${duplicateStarts} keys started twice`],
    [creditsMismatch > 0 || creditsHeld > 0, `${creditsMismatch} credits astray, ${creditsHeld} held`],
    [untold > 0 || gaps > 0, `${untold} events untold, ${gaps} gaps`],
    [unknownEvents > 0, `${unknownEvents} events that the log does not know`],
    [broken > 0, `${broken} results are broken`],
    [bill.repeated > 0, `${bill.repeated} generations were billed twice`],
    [bill.undelivered > (killed ? bill.unanswerable : 0), `${bill.undelivered} billed works were not delivered`],
    [otherEnds.length > 0, `work ended as ${JSON.stringify(ends)}`],
  ]
  return faults.filter(([is]) => is).map(([, words]) => words)
}

export function countedLine({ started, ready, ends, bill }: Findings): string {
  const others = Object.entries(ends).map(([end, count]) => `, ${count} ${end}`)
  return `${started} acknowledged, ${ready} ready${others.join('')}; ${bill.billed} billed, none twice; books balance`
}
