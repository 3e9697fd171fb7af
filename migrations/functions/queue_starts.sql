-- Adds new generations to the start queues of their owners. The first few of each queue get a job, at the free ranks. The others are
-- parked.
-- Priorities, lowest first: 2 for heads, which run in the order in which they became heads; above 2 for the others of a queue, at their
-- rank plus one. The head of a queue that was empty has 1 and runs before all other heads, unless its owner was served after the oldest of
-- them became head: an owner with few starts does not wait for others, and delays nobody by more than one start. A trial has 0 and is in no
-- start queue, because its family waits for its outcome.
-- `new_rows`: see start_generations. The settings force indexes: these tables change faster than their statistics, with which PostgreSQL
-- would read all their rows.
create or replace function queue_starts(ids text[], verdicts text[], new_rows jsonb) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  trials text[] := array(select trial_by from breakers where trial_by = any (ids));
  jobs graphile_worker.job_spec[];
begin
  with started as (
    select asked.id, family_id, owner_id, place
      from rows from (unnest(ids), unnest(verdicts), jsonb_to_recordset(new_rows) as (family_id text, owner_id text)) with ordinality
        as asked (id, verdict, family_id, owner_id, place)
      where verdict = 'started'
  ), queues as (
    select queue.family_id, queue.owner_id, free_start_ranks(queue.family_id, queue.owner_id) as ranks, parked.is_first is not null as has_parked,
        queued.is_first is null and parked.is_first is null and coalesce(
          (select head_at from waiting_starts w where w.family_id = queue.family_id and w.head_at is not null order by head_at limit 1)
            > (select served_at from owner_turns t where t.family_id = queue.family_id and t.owner_id = queue.owner_id), true) as is_first
      from (select distinct family_id, owner_id from started where id <> all (trials)) as queue
        left join lateral (
          select true as is_first from waiting_starts w
            where w.family_id = queue.family_id and w.owner_id = queue.owner_id and w.rank is null limit 1) as parked on true
        left join lateral (
          select true as is_first from waiting_starts w
            where w.family_id = queue.family_id and w.owner_id = queue.owner_id and w.rank is not null limit 1) as queued on true
  ), ranked as (
    select id, family_id, owner_id, is_first,
        case when not has_parked then ranks[row_number() over (partition by family_id, owner_id order by place)::integer] end as rank
      from started join queues using (family_id, owner_id) where id <> all (trials)
  ), added as (
    insert into waiting_starts (generation_id, family_id, owner_id, since, rank, head_at)
      select id, family_id, owner_id, present(), rank, case when rank = 1 then now() end from ranked
  ), asked as (
    select 'submitGeneration' as task, json_build_object('generationId', id) as payload,
        null::timestamptz as run_at, 'generation:' || id as key, case when rank = 1 and is_first then 1 else rank + 1 end as priority,
        array['new:' || family_id] as flags
      from ranked where rank is not null
    union all
    select 'submitGeneration', json_build_object('generationId', id), null, 'generation:' || id, 0,
        array['new:' || family_id]
      from started where id = any (trials)
    union all
    -- Jobs may take the earlier starts before this transaction commits. Then this job queues the new start, or makes it the head.
    select 'fillStartLine', json_build_object('familyId', family_id, 'ownerId', owner_id), now() + interval '0.5 seconds',
        'line:' || family_id || '|' || owner_id, 0, null
      from (select distinct family_id, owner_id from ranked where rank is distinct from 1) as not_heads
  )
  select array_agg((task, payload, null, run_at, 30000, key, priority, flags)::graphile_worker.job_spec order by key) into jobs from asked;
  perform jobs_add(jobs, true);
end $$;
