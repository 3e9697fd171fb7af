import type { Context } from '../context.ts'
import { routineNames, routinePeriods } from '../routines.ts'
import { statement } from '../sql.ts'
import { processIsAlive } from '../unservedQueues.ts'

/** More periods than this without a success are a fault. */
const periodsMax = 15

/** Counts from the start of the oldest live process at the earliest, because nothing runs while no process does. */
const late = statement<{ name: string; hours: number; since: Date }>(
  'late_routines',
  `select name, extract(epoch from age)::float8 / 3600 as hours, present() - age + seconds * ${periodsMax} * interval '1 second' as since
     from routines r join unnest($1::text[], $2::integer[]) as known (name, seconds) using (name)
       cross join (select min(started_at) as started_at from processes where ${processIsAlive}) as p
       cross join lateral (
         select present() - greatest(coalesce(r.ended_at, r.added_at), p.started_at) as age where p.started_at is not null
       ) as since
     where age > seconds * ${periodsMax} * interval '1 second' order by name`,
)

/** Describes the routines that have not succeeded for fifteen periods while processes ran, and since when that is. Changes nothing. */
export async function routineFaults({ sql }: Pick<Context, 'sql'>): Promise<{ words: string; since: Date }[]> {
  const seconds = routineNames.map((name) => routinePeriods[name].seconds)
  return (await sql.all(late, [routineNames, seconds])).map(({ name, hours, since }) => ({
    words: `${name} has not succeeded for ${hours.toFixed(1)} hours: see the log of the processes that take maintenance`,
    since,
  }))
}
