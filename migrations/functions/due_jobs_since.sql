-- For processes of release 0.2.0; this release calls jobs_due.
create or replace function due_jobs_since(tasks text[], since timestamptz[], counted_max integer)
returns table (task text, due integer, next_milliseconds double precision, gone_before timestamptz) language sql stable as $$
  select task, due, next_milliseconds, gone_before from jobs_due(tasks, since, counted_max)
$$;
