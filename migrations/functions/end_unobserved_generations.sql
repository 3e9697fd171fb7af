-- As end_unobserved_results without answers, for processes of 1.0.0.
create or replace function end_unobserved_generations(
  account text, owners text[], ids text[], fences integer[], results text[], from_states text[]
) returns table (generation text, job_id bigint, is_observed boolean) language sql as $$
  select generation, job_id, is_observed
    from end_unobserved_results(account, owners, ids, fences, results, array_fill(null::text, array[cardinality(ids)]), from_states, '{}', 0)
$$;
