-- Deletes the result of a generation of `owner`, and queues the removal of its objects. The row keeps when and by whom it was deleted.
-- Verdicts and locks: see detach_result.
create or replace function delete_result(generation text, owner text, by_whom text) returns text language plpgsql as $$
declare
  detached record;
begin
  select * into detached from detach_result(generation, owner, by_whom);
  if detached.storage_key is not null then
    perform queue_removals(array[generation], array[detached.storage_key]);
  end if;
  return detached.verdict;
end $$;
