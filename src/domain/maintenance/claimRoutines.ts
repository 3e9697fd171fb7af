import type { Context } from '../context.ts'
import { type RoutineName, routineNames, routinePeriods } from '../routines.ts'
import { statement } from '../sql.ts'
import { processIsAlive } from '../unservedQueues.ts'

/** A time further in the future was written while the clock was ahead. Statements that wait for each other differ by less. */
const aheadSeconds = 60
/** A longer run is considered hung; another process may start the routine again. */
const runHoursMax = 6

const addRoutines = statement<never>(
  'add_routines',
  'insert into routines (name, added_at) select unnest($1::text[]), present() on conflict (name) do nothing',
)

/** One statement checks and sets `begun_at`, so that at most one process starts a routine in its period. */
const claim = statement<{ name: RoutineName }>(
  'claim_routines',
  `update routines set begun_at = present(), holder = $3 where name = any(array(
     select r.name from routines r join unnest($1::text[], $2::integer[]) as asked (name, seconds) on asked.name = r.name
       where (r.begun_at is null or r.begun_at not between present() - asked.seconds * interval '1 second'
             and present() + interval '${aheadSeconds} seconds')
         and (r.holder is null or r.holder = $3
           or r.begun_at not between present() - interval '${runHoursMax} hours' and present() + interval '${aheadSeconds} seconds'
           or not exists (select from processes p where p.id = r.holder and ${processIsAlive}))
       for update of r skip locked
   )) returning name`,
)

const end = statement<never>(
  'end_routine',
  'update routines set holder = null, ended_at = case when $3 then present() else ended_at end where name = $1 and holder = $2',
)

/** Inserts the routines that have no row yet. */
export async function addMissingRoutines({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await sql.one(addRoutines, [routineNames])
}

/**
 * Claims the routines of `names` whose period has passed by the database's clock and that no other live process runs. Returns them. A start
 * time in the future is ignored. A crashed process delays its routines by one period at most. Locks: rows of routines, briefly.
 */
export async function claimRoutines(
  { sql }: Pick<Context, 'sql'>,
  { names, processId }: { names: readonly RoutineName[]; processId: string },
): Promise<RoutineName[]> {
  const seconds = names.map((name) => routinePeriods[name].seconds)
  return (await sql.all(claim, [names, seconds, processId])).map(({ name }) => name)
}

/** Releases a routine. Has no effect when another process has claimed it meanwhile. */
export async function endRoutine(
  { sql }: Pick<Context, 'sql'>,
  { name, processId, succeeded }: { name: RoutineName; processId: string; succeeded: boolean },
): Promise<void> {
  await sql.one(end, [name, processId, succeeded])
}
