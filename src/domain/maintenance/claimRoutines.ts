import type { Context } from '../context.ts'
import { type RoutineName, routineNames, routinePeriods } from '../routines.ts'
import { statement } from '../sql.ts'
import { processIsAlive } from '../unservedQueues.ts'

/** A time beyond this was written while the clock was ahead. Statements that wait for one another differ by less. */
const aheadSeconds = 60
/** A run that takes longer hangs, and another process may begin beside it. */
const runHoursMax = 6

const addRoutines = statement<never>(
  'add_routines',
  'insert into routines (name, added_at) select unnest($1::text[]), present() on conflict (name) do nothing',
)

/** `begun_at` is claimed and changed by one statement, so that one process at most begins a routine in its period. */
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

/** Adds the routines that the database does not know yet. */
export async function addMissingRoutines({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await sql.one(addRoutines, [routineNames])
}

/**
 * Claims those of `names` whose period has passed by the database's clock and that no other living process runs, and returns them. A time
 * in the future counts as none. A process that dies delays its routines by one period at most. Locks: rows of routines, for a moment.
 */
export async function claimRoutines(
  { sql }: Pick<Context, 'sql'>,
  { names, processId }: { names: readonly RoutineName[]; processId: string },
): Promise<RoutineName[]> {
  const seconds = names.map((name) => routinePeriods[name].seconds)
  return (await sql.all(claim, [names, seconds, processId])).map(({ name }) => name)
}

/** Gives a routine back. A run that another process has taken over changes nothing. */
export async function endRoutine(
  { sql }: Pick<Context, 'sql'>,
  { name, processId, succeeded }: { name: RoutineName; processId: string; succeeded: boolean },
): Promise<void> {
  await sql.one(end, [name, processId, succeeded])
}
