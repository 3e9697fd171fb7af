-- As end_stored_results without answers, for processes of 1.0.0.
create or replace function end_ready_generations(account text, ids text[], fences integer[], results text[], from_states text[])
returns table (generation text, job_id bigint, is_subscribed boolean, has_faults boolean) language sql as $$
  select generation, job_id, is_subscribed, has_faults
    from end_stored_results(account, ids, fences, results, array_fill(null::text, array[cardinality(ids)]), from_states, '{}', 0)
$$;
