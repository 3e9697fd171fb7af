import type { Order, RolloutOutcome } from './playRollout.ts'

/** The longest allowed wait for a migration. */
const longestLockMs = 1_000
const columns = [
  'order',
  'starting, migrations',
  'acknowledged, lost',
  'reads, waits, streams, cancels, uploads, callbacks',
  'started twice, credits wrong or held',
  'events missing, gaps, repeats',
  '5xx, no answer',
  'longest request while starting, ever',
  'longest wait for a migration',
]

/** A description of each broken promise. */
export function brokenByRollout(outcome: RolloutOutcome): string[] {
  const { lost, duplicateStarts, creditsMismatch, creditsHeld, missingEvents, gaps, bad, longestLock } = outcome
  const faults: [boolean, string][] = [
    [lost > 0, `${lost} acknowledged generations are lost or did not end`],
    [duplicateStarts > 0, `${duplicateStarts} keys started twice`],
    [creditsMismatch > 0 || creditsHeld > 0, `${creditsMismatch} credits wrong, ${creditsHeld} held`],
    [!outcome.booksBalanced, 'doctor reports a fault of the books'],
    [missingEvents > 0 || gaps > 0, `${missingEvents} events missing, ${gaps} gaps`],
    [outcome.uncalled > 0, `${outcome.uncalled} callbacks did not arrive`],
    [outcome.unknownEvents > 0, `${outcome.unknownEvents} events that are not in the log`],
    [outcome.forged > 0, `${outcome.forged} webhooks had a wrong signature`],
    [outcome.broken > 0, `${outcome.broken} results are broken`],
    [Object.keys(outcome.ends).some((end) => end !== 'cancelled'), `work ended as ${JSON.stringify(outcome.ends)}`],
    [bad.length > 0, `${bad.length} requests without a good answer: ${[...new Set(bad)].slice(0, 5).join('; ')}`],
    [!outcome.endedInTime, 'open work or deliveries remained'],
    [longestLock.ms > longestLockMs, `a migration was waited for ${Math.round(longestLock.ms)} ms: ${longestLock.words}`],
  ]
  return faults.filter(([is]) => is).map(([, words]) => words)
}

/** The results, one row per order. */
export function rolloutTable(outcomes: Map<Order, RolloutOutcome>): string {
  return [columns, columns.map(() => '---'), ...[...outcomes].map(([order, outcome]) => cellsOf(order, outcome))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function cellsOf(order: Order, outcome: RolloutOutcome): string[] {
  const { counts, migrated } = outcome
  const ms = (value: number) => `${Math.round(value)} ms`
  return [
    order,
    `${outcome.startingSeconds.toFixed(1)} s, ${migrated.length > 0 ? migrated.join(' ') : 'none'}`,
    `${outcome.started}, ${outcome.lost}`,
    [counts.reads, counts.waits, counts.streams, counts.cancels, counts.uploads, counts.callbacks].join(', '),
    `${outcome.duplicateStarts}, ${outcome.creditsMismatch + outcome.creditsHeld}`,
    `${outcome.missingEvents}, ${outcome.gaps}, ${outcome.repeats}`,
    `${outcome.refused}, ${outcome.unanswered}`,
    `${ms(outcome.longestWhileStarting.ms)}, ${ms(outcome.longestRequest)}`,
    ms(outcome.longestLock.ms),
  ]
}
