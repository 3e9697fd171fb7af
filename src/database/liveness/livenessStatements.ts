/** The statements of liveness.ts. Times are the database's. */

const lockOf = (id: string) => `hashtextextended('process:' || ${id}, 0)`

export const acquireProcessLock = {
  /** The server may still keep the previous connection of this process, with the lock. */
  endPreviousHolder: `select pg_terminate_backend(l.pid) from pg_locks l, (select ${lockOf('$1')} as key) k
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ((k.key >> 32) & 4294967295)::oid and l.objid = (k.key & 4294967295)::oid`,
  acquireForSession: `select pg_advisory_lock(${lockOf('$1')})`,
}

export const upsertHeartbeat = `insert into processes (id, roles, worker_pool_ids, queues, report) values ($1, $2, $3, $4, $5)
  on conflict (id) do update set heartbeat_at = now(), worker_pool_ids = excluded.worker_pool_ids, report = excluded.report`

/**
 * A lock that can be taken is not held. The statement's transaction releases it again. $2 and $3: heartbeatTimeoutSeconds and
 * stoppedTimeoutSeconds.
 */
export const probeOtherProcesses = `select id, heartbeat_at < now() - $2::float8 * interval '1 second' as silent,
    heartbeat_at < now() - $3::float8 * interval '1 second' as stopped, pg_try_advisory_xact_lock(${lockOf('id')}) as unlocked
  from processes where id <> $1`

/**
 * Removes a dead process: unlocks its jobs and releases its request slots, in the order in which requests lock them. Only the process that
 * deletes the row does this. $2: the seconds for which its provider calls may still report results; null while its lock is held, since a
 * frozen process may continue, see {@link expireStoppedProcesses}.
 */
export const removeDeadProcess = `with removed as (
    delete from processes p where id = $1 returning id, worker_pool_ids as pools
  ), recorded as (
    insert into buried_processes (id, answers_until)
      select id, coalesce(present() + $2::float8 * interval '1 second', 'infinity') from removed
      on conflict (id) do update set answers_until = excluded.answers_until
  ), purged as (
    delete from buried_processes where answers_until < present() - interval '1 day' and id <> $1
  ), holders as (
    select subject from request_counts where in_progress ? $1 and exists (select from removed) order by subject for update
  ), slots as (
    update request_counts c set in_progress = c.in_progress - $1 from holders where c.subject = holders.subject
  )
  select graphile_worker.force_unlock_workers(pools) from removed where cardinality(pools) > 0`

/** For stopped processes whose lock has become free (killed, or the host is gone): starts the grace time of $1 seconds. */
export const expireStoppedProcesses = `update buried_processes b set answers_until = present() + $1::float8 * interval '1 second'
  where answers_until = 'infinity' and not exists (select from processes p where p.id = b.id) and pg_try_advisory_xact_lock(${lockOf('b.id')})`

/**
 * Releases request slots that a killed process took after its removal: a pooler or a lock may delay its statements. A process that has
 * registered again keeps its slots.
 */
export const releaseLateSlots = `with holders as (
    select subject from request_counts where in_progress ? $1 and not exists (select from processes where id = $1) order by subject for update
  )
  update request_counts c set in_progress = c.in_progress - $1 from holders where c.subject = holders.subject`

/** Unlocks jobs, locked for $1 seconds, of pools that no process has registered: the process ended before it registered the pool. */
export const unlockUnclaimedJobs = `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
  where locked_by is not null and locked_at < now() - $1::float8 * interval '1 second'
    and locked_by not in (select pool from processes p, unnest(p.worker_pool_ids) as pool)
  having count(*) > 0`

/** Ends the sessions of a stopped process, which would keep its locks. */
export const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = $1 and usename = current_user and datname = current_database()`
