-- Ends generations as end_stored_results does, if nothing else belongs into the transaction of their ends: no webhook subscription of
-- their `owners` wants an event, none has a callback, and no breaker has faults. Otherwise ends none and returns one row with
-- `is_observed`: the caller ends them by end_stored_results, in a transaction that also records the events and clears the faults.
-- Locks: those of that function.
create or replace function end_unobserved_results(
  account text, owners text[], ids text[], fences integer[], results text[], answer_costs text[], from_states text[], answered_states text[],
  store_hours integer
) returns table (generation text, job_id bigint, is_observed boolean) language plpgsql as $$
#variable_conflict use_column
begin
  if exists (select from breakers where faults > 0 or locked_until is not null) or exists (
    select from webhook_subscriptions s
      where s.team_id = any (owners) and s.kind = 'events' and s.deleted_at is null and not s.paused and 'generation.completed' = any (s.events)
  ) or exists (select from callbacks c where c.generation_id = any (ids)) then
    return query select null::text, null::bigint, true;
    return;
  end if;
  return query
    select ended.generation, ended.job_id, false
      from end_stored_results(account, ids, fences, results, answer_costs, from_states, answered_states, store_hours) as ended;
end $$;
