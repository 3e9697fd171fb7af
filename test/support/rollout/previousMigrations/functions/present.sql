-- What time it is, for everything about money, deadlines and retention: the database's clock, since those of processes may be wrong.
-- The same for the whole of a statement, so that an index can be searched by it. Tests put a moment of their own in its place.
create or replace function present() returns timestamptz language sql stable parallel safe as $$
  select statement_timestamp()
$$;
