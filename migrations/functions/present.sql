-- Returns the current time for money, deadlines and retention: by the database's clock, because clocks of processes may be wrong. It is
-- constant within a statement, so that an index can be searched by it. Tests replace this function.
create or replace function present() returns timestamptz language sql stable parallel safe as $$
  select statement_timestamp()
$$;
