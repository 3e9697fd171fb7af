import { openDrillStage } from './drillStage.ts'
import type { Drill } from './drills.ts'
import type { DrillReport } from './drillWork.ts'
import type { Fairness } from './fairness.ts'

/** Runs a drill on a new stage, and returns whether it succeeded. */
export async function playDrill(drill: Drill, count: number): Promise<{ report: DrillReport | Fairness; well: boolean }> {
  const stage = await openDrillStage(drill.options)
  try {
    const report = await drill.play(stage, count)
    return { report, well: 'ready' in report ? isWhole(report, count) : isFair(report) }
  } finally {
    await stage.close()
  }
}

function isWhole({ ready, started, bill, charged, held }: DrillReport, count: number): boolean {
  return ready === count && started === count && bill.billed === count && bill.undelivered === 0 && charged === count && held === 0
}

/** Undefined if the other team's work ended before the last sample. */
function isFair({ aloneMs, besideMs, waitingAtEnd }: Fairness): boolean {
  return besideMs < 2 * aloneMs && waitingAtEnd > 0
}
