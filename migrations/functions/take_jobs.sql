-- For processes of release 0.2.0; this release calls jobs_take.
create or replace function take_jobs(pool text, task_ids integer[], flags_past text[], since timestamptz[], jobs_max integer)
returns setof graphile_worker._private_jobs language sql as $$
  select * from jobs_take(pool, task_ids, flags_past, since, jobs_max)
$$;
