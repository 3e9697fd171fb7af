-- Deletes what a generation of `owner` has made, and queues the removal of the objects; the row says from then on when, and by whom.
-- Verdicts and locks: as detach_result.
create or replace function delete_result(generation text, owner text, by_whom text) returns text language plpgsql as $$
declare
  taken record;
begin
  select * into taken from detach_result(generation, owner, by_whom);
  if taken.storage_key is not null then
    perform queue_removals(array[generation], array[taken.storage_key]);
  end if;
  return taken.verdict;
end $$;
