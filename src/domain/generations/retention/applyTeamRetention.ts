import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** Rows in one transaction. Each has a savepoint, and PostgreSQL caches 64 of them. */
const rowsAtOnce = 50
/** Batches of one kind for a team, before the next team. */
const batchesAtOnce = 20
/** Removal jobs that may wait. Removals for deletions by people wait in the same queue. */
const removalsMax = 10_000
const teamsAtOnce = 200

type Batch = { isMore: boolean; purged: number; broken: number }

/**
 * Claims the teams that have waited longest, none twice within four minutes, none in two processes at a time. A recorded time in the future
 * comes from a clock that was ahead, and does not count.
 */
const claimTeams = statement<{ teamId: string }>(
  'claim_retention_teams',
  `update team_retention set served_at = present() where team_id = any(array(
       select r.team_id from team_retention r join teams t on t.id = r.team_id
         where t.deleted_at is null and (r.media_days is not null or r.history_days is not null)
           and (r.served_at is null or r.served_at not between present() - interval '4 minutes' and present() + interval '4 minutes')
         order by r.served_at nulls first limit ${teamsAtOnce} for update of r skip locked
     )) returning team_id`,
)
const oldResults = statement<Batch>('purge_team_results', 'select * from purge_team_results($1, $2, $3)')
/** A page of the search for results that the first scan missed. Usually they are only read. */
const searchedAtOnce = 2_000
const missedResults = statement<{ isMore: boolean; missed: number }>('search_missed_results', 'select * from search_missed_results($1, $2)')
const postponed = statement<Batch>('purge_postponed_results', 'select * from purge_postponed_results($1, $2)')
const oldGenerations = statement<Batch & { lastId: string }>(
  'purge_team_generations',
  'select * from purge_team_generations($1, $2, $3, $4)',
)
const oldDeliveries = statement<{ count: number }>('purge_team_deliveries', 'select purge_team_deliveries($1, $2) as count')

/**
 * Applies the retention rules of teams: deletes results of generations that ended more than `mediaDays` ago, and
 * generations with their deliveries that ended more than `historyDays` ago. Ledger and usage stay. Each bounded batch records its progress
 * in its own transaction. A team whose batch fails does not stop others. Locks: the team's rule and generations, for a batch.
 * Contract: docs/contract.md#team-retention.
 */
export async function applyTeamRetention(context: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    const teams = signal.aborted ? [] : await context.sql.all(claimTeams, [])
    if (teams.length === 0) return
    let passes: TeamPass[] = teams.map(({ teamId }) => ({ teamId, walkedTo: '' }))
    while (passes.length > 0) {
      const unfinished: TeamPass[] = []
      for (const pass of passes) {
        if (signal.aborted) return
        const rest = await purgeTeamBatch(context, pass)
        if (rest) unfinished.push(rest)
      }
      passes = unfinished
    }
  }
}

type TeamPass = { teamId: string; walkedTo: string }

/** Purges a part of one team's rows. Returns the position in its history if there is more. */
async function purgeTeamBatch(context: Context, pass: TeamPass): Promise<TeamPass | undefined> {
  const { teamId } = pass
  const { sql } = context
  let { walkedTo } = pass
  try {
    const steps = {
      results: await runBatches(() => sql.one(oldResults, [teamId, rowsAtOnce, removalsMax])),
      missed: await runBatches(async () => {
        const page = await sql.one(missedResults, [teamId, searchedAtOnce])
        return { isMore: page?.isMore ?? false, purged: 0, broken: 0 }
      }),
      postponed: await runBatches(() => sql.one(postponed, [teamId, rowsAtOnce])),
      generations: await runBatches(async () => {
        const batch = await sql.one(oldGenerations, [teamId, walkedTo, rowsAtOnce, removalsMax])
        walkedTo = batch?.lastId ?? walkedTo
        return batch
      }),
      deliveries: await runBatches(async () => {
        const purged = (await sql.one(oldDeliveries, [teamId, rowsAtOnce]))?.count ?? 0
        return { isMore: purged === rowsAtOnce, purged, broken: 0 }
      }),
    }
    logCounts(context, teamId, steps)
    return Object.values(steps).some(({ isMore }) => isMore) ? { teamId, walkedTo } : undefined
  } catch (error) {
    context.log.error({ teamId, error }, 'the retention of a team could not be applied yet')
    return undefined
  }
}

async function runBatches(next: () => Promise<Batch | undefined>): Promise<Batch> {
  const all = { isMore: true, purged: 0, broken: 0 }
  for (let batch = 0; batch < batchesAtOnce && all.isMore; batch += 1) {
    const { isMore, purged, broken } = (await next()) ?? { isMore: false, purged: 0, broken: 0 }
    all.isMore = isMore
    all.purged += purged
    all.broken += broken
  }
  return all
}

function logCounts({ log }: Context, teamId: string, steps: Record<string, Batch>): void {
  const counts = (of: 'purged' | 'broken') =>
    Object.fromEntries(
      Object.entries(steps)
        .filter(([, step]) => step[of] > 0)
        .map(([name, step]) => [name, step[of]]),
    )
  const [purged, broken] = [counts('purged'), counts('broken')]
  if (Object.keys(purged).length > 0) log.info({ teamId, ...purged }, 'the retention of a team was applied')
  if (Object.keys(broken).length > 0) log.error({ teamId, ...broken }, 'some rows could not be deleted; see the log of the database')
}
