-- Returns whether nothing needs the rows of a partition: no generation in it is open or the input of an open one, no delivery in it is
-- open, and no row ended or was created after `horizon`, which happens when a clock was behind. Recorded open generations of the editor do not
-- count: they have no credits and no objects here. `only_empty`: it must have no rows at all. Reads open and young rows only, by indexes.
create or replace function can_retire_partition(
  of_table text, partition text, from_id text, until_id text, horizon timestamptz, only_empty boolean
) returns boolean language plpgsql as $$
declare
  is_needed boolean;
begin
  if of_table = 'generations' then
    execute format('select exists (select from %I where finished_at is null and account_id is not null)
      or exists (select from %1$I where finished_at >= $3)
      or exists (select from inputs_in_use where input_id >= $1 and input_id < $2)', partition)
      into is_needed using coalesce(from_id, 'gen_'), until_id, horizon;
  else
    execute format('select exists (select from %I where retries_left is not null) or exists (select from %1$I where created_at >= $1)', partition)
      into is_needed using horizon;
  end if;
  if not is_needed and only_empty then
    execute format('select exists (select from %I)', partition) into is_needed;
  end if;
  return not is_needed;
end $$;
