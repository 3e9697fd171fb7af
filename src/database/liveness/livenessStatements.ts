/** What liveness.ts says to the database. Times are the database's. */

/** A process whose lock is free and whose heart has not beaten for so long is dead. Hearts beat every second, two ways. */
const heartbeatTimeoutSeconds = 4
/** A process that has stopped keeps its lock; its heart does not beat, and it does nothing. */
export const stoppedTimeoutSeconds = 15
/** A process whose lock is free may have lost its connections only. Until then its answers from providers are waited for. */
export const returnGraceSeconds = 30
/** A job that was locked just now may belong to a pool that is yet to be named. */
const unregisteredPoolSeconds = 4

const lockOf = (id: string) => `hashtextextended('process:' || ${id}, 0)`

export const acquireProcessLock = {
  /** The connection before may live on at its other end, and with it the lock. */
  endPreviousHolder: `select pg_terminate_backend(l.pid) from pg_locks l, (select ${lockOf('$1')} as key) k
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ((k.key >> 32) & 4294967295)::oid and l.objid = (k.key & 4294967295)::oid`,
  acquireForSession: `select pg_advisory_lock(${lockOf('$1')})`,
}

export const upsertHeartbeat = `insert into processes (id, roles, worker_pool_ids, queues) values ($1, $2, $3, $4)
  on conflict (id) do update set heartbeat_at = now(), worker_pool_ids = excluded.worker_pool_ids`

/** Locks of others that can be taken are locks that nobody holds. Given back with the statement's transaction. */
export const probeOtherProcesses = `select id, heartbeat_at < now() - interval '${heartbeatTimeoutSeconds} seconds' as silent,
    heartbeat_at < now() - interval '${stoppedTimeoutSeconds} seconds' as stopped, pg_try_advisory_xact_lock(${lockOf('id')}) as unlocked
  from processes where id <> $1`

/**
 * Whoever gets the row first buries it: its jobs are free again, and so are its request slots, which are locked in the order in which
 * requests lock them. $2: after how many seconds no answer of its providers can come any more; null while its lock is held, since it may be
 * frozen and go on: see {@link expireStoppedProcesses}.
 */
export const removeDeadProcess = `with buried as (
    delete from processes p where id = $1 returning id, worker_pool_ids as pools
  ), silenced as (
    insert into buried_processes (id, answers_until)
      select id, coalesce(present() + $2::float8 * interval '1 second', 'infinity') from buried
      on conflict (id) do update set answers_until = excluded.answers_until
  ), forgotten as (
    delete from buried_processes where answers_until < present() - interval '1 day' and id <> $1
  ), holders as (
    select subject from request_counts where in_progress ? $1 and exists (select from buried) order by subject for update
  ), slots as (
    update request_counts c set in_progress = c.in_progress - $1 from holders where c.subject = holders.subject
  )
  select graphile_worker.force_unlock_workers(pools) from buried where cardinality(pools) > 0`

/** The lock of a process that stopped is free now: it was killed, or its host is gone. Its answers are waited for as after any death. */
export const expireStoppedProcesses = `update buried_processes b set answers_until = present() + interval '${returnGraceSeconds} seconds'
  where answers_until = 'infinity' and not exists (select from processes p where p.id = b.id) and pg_try_advisory_xact_lock(${lockOf('b.id')})`

/**
 * A request of a process that was killed may be counted after its burial: a pooler, or a lock, had held it up. A process that has come
 * back keeps its slots.
 */
export const releaseLateSlots = `with holders as (
    select subject from request_counts where in_progress ? $1 and not exists (select from processes where id = $1) order by subject for update
  )
  update request_counts c set in_progress = c.in_progress - $1 from holders where c.subject = holders.subject`

/** Jobs held by a pool that no living process claims: its process died before it could say which pool it had. */
export const unlockUnclaimedJobs = `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
  where locked_by is not null and locked_at < now() - interval '${unregisteredPoolSeconds} seconds'
    and locked_by not in (select pool from processes p, unnest(p.worker_pool_ids) as pool)
  having count(*) > 0`

/** A process that has stopped keeps its sessions, and with them the locks under which it works. */
export const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = $1 and usename = current_user and datname = current_database()`
