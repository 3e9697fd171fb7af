-- Whether nothing needs the rows of a partition any more: there is no work that has not ended, none whose input it holds, and no delivery
-- that is still to be made. Nor anything younger than `horizon`, whose identifier comes from a clock that was behind. What the editor never
-- ended holds nothing of ours. Reads by indexes what is open or young alone.
create or replace function can_retire_partition(
  of_table text, partition text, from_id text, until_id text, horizon timestamptz, only_empty boolean
) returns boolean language plpgsql as $$
declare
  is_needed boolean;
begin
  if of_table = 'generations' then
    execute format('select exists (select from %I where finished_at is null and source <> ''editor'')
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
