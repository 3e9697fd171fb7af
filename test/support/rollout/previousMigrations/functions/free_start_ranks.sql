-- The ranks that are free in the line of an owner in a family, the lowest first. The width of a line is a compromise: wide enough that many
-- slots that come free at once find a job, and narrow enough that the queue stays short with many owners.
create or replace function free_start_ranks(family text, owner text) returns smallint[] language sql stable as $$
  select array(
    select n::smallint from generate_series(1, 8) as n
      where n not in (select rank from waiting_starts where family_id = family and owner_id = owner and rank is not null)
      order by n)
$$;
