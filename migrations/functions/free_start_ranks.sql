-- Returns the free ranks in the start queue of an owner in a family, the lowest first. Eight ranks are a compromise: enough jobs when
-- several slots become free at once, and a short job queue with many owners.
create or replace function free_start_ranks(family text, owner text) returns smallint[] language sql stable as $$
  select array(
    select n::smallint from generate_series(1, 8) as n
      where n not in (select rank from waiting_starts where family_id = family and owner_id = owner and rank is not null)
      order by n)
$$;
