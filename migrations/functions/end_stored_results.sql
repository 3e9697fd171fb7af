-- Ends generations of one account whose results are stored, by compare-and-set on state and fence: charges them, counts them, and removes
-- their running jobs, in one statement for all. Generations with inputs end by end_generation, which locks files in another order.
-- An entry of `answer_costs` that is not null is the vendor's cost of a result whose outputs were not recorded before: its generation ends
-- from one of `answered_states`, passes through those between, and gets the times that record_outputs would have set.
-- Returns a row for each that it ended: its running job, whether a webhook subscription or a callback wants its event, and whether a breaker has
-- faults that its success may clear. Another transition came first for the others. The caller records the events in the same transaction and
-- sends the notices after the commit. Their vendor slots and their places in start queues were released before; answers have no slots.
-- Locks: the generations, account, counts of open work, usage, keys, breakers, jobs. The settings keep the plan from reading partitions, and
-- from being compiled, where a pooler drops the session's `jit = off`.
create or replace function end_stored_results(
  account text, ids text[], fences integer[], results text[], answer_costs text[], from_states text[], answered_states text[],
  store_hours integer
) returns table (generation text, job_id bigint, is_subscribed boolean, has_faults boolean)
language plpgsql set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  one record;
  each text;
  -- The first and the last generation, so that PostgreSQL opens no partition of other months.
  lowest text;
  highest text;
  today constant date := utc_day(present());
  ended text[];
  owners text[];
  families text[];
  spending_keys text[];
  prices bigint[];
  people text[];
  labelled text[];
begin
  perform set_config('atelier.ends', 'together', true);
  foreach each in array ids loop
    lowest := least(lowest, each);
    highest := greatest(highest, each);
  end loop;
  with done as (
    update generations g set state = 'ready', finished_at = present(), result = asked.result::jsonb, credits_charged = g.price,
        started_at = coalesce(g.started_at, present()), progress = null, queue_position = null,
        deadline_at = case when asked.answer_cost is null then g.deadline_at
          else greatest(g.deadline_at, present() + store_hours * interval '1 hour') end
      from (
        select id, fence, result, answer_cost
          from unnest(ids, fences, results, answer_costs) as each (id, fence, result, answer_cost) order by id
      ) as asked
      where g.id = asked.id and g.id between lowest and highest and g.fence = asked.fence
        and g.state = any (case when asked.answer_cost is null then from_states else answered_states end)
      returning g.id, g.owner_id, g.family_id, g.key_id, g.price, case g.source when 'editor' then g.user_id end as person,
        g.reference is not null or g.metadata <> '{}' as is_labelled
  )
  select array_agg(id), array_agg(owner_id), array_agg(family_id), array_agg(key_id), array_agg(price), array_agg(person),
      array_agg(id) filter (where is_labelled)
    into ended, owners, families, spending_keys, prices, people, labelled from done;
  if ended is null then
    return;
  end if;

  if exists (select from unnest(answer_costs) as cost where cost <> '{}') then
    update generation_attempts a set cost_usd = cost.usd, cost_quantity = cost.quantity, cost_unit = cost.unit
      from unnest(ids, answer_costs) as asked (id, answer_cost)
        cross join jsonb_to_record(asked.answer_cost::jsonb) as cost (usd numeric, quantity double precision, unit text)
        join generations g on g.id = asked.id and g.id between lowest and highest
      where asked.answer_cost <> '{}' and g.id = any (ended) and a.generation_id = g.id and a.number = g.attempt
        and a.generation_id between lowest and highest;
  end if;
  perform from credit_accounts where id = account for no key update;
  for one in select owner, family, count(*) as count from unnest(owners, families) as each (owner, family) group by owner, family order by owner, family loop
    update open_work set open = greatest(open - one.count, 0) where owner_id = one.owner and family_id = one.family;
  end loop;
  insert into usage_days as u (account_id, owner_id, day, key_id, family_id, ready, failed, cancelled, charged)
    select account, owner, today, spending_key, family, count(*), 0, 0, sum(price)
      from unnest(owners, spending_keys, families, prices) as each (owner, spending_key, family, price)
      group by owner, spending_key, family order by owner, spending_key, family
    on conflict on constraint usage_days_once do update set ready = u.ready + excluded.ready, charged = u.charged + excluded.charged;
  if labelled is not null then
    perform count_usage_labels(id) from unnest(labelled) as id;
  end if;
  for one in select spending_key, sum(price)::bigint as credits from unnest(spending_keys, prices) as each (spending_key, price)
      group by spending_key order by spending_key loop
    perform count_charge(account, one.spending_key, one.credits);
  end loop;
  if array_remove(people, null) <> '{}' then
    perform settle_person(account, person, sum(price)::bigint, true) from unnest(people, prices) as each (person, price)
      where person is not null group by person;
  end if;
  with moved as (
    insert into ledger_transactions (account_id, generation_id, kind, created_at)
      select account, id, 'capture', present() from unnest(ended) as id
      returning id, generation_id
  )
  insert into ledger_entries (transaction_id, bucket, credits)
    select moved.id, bucket, sign * price from moved join unnest(ended, prices) as each (generation_id, price) using (generation_id)
      cross join (values ('held', -1), ('spent', 1)) as sides (bucket, sign)
      where price > 0;
  perform end_trial(trial_by) from breakers where trial_by = any (ended);
  return query
    with removed as (
      select job_key, job_id from jobs_remove_running(array(select 'generation:' || id from unnest(ended) as id))
    )
    select id, removed.job_id,
        exists (
          select from webhook_subscriptions s
            where s.team_id = owner and s.kind = 'events' and s.deleted_at is null and not s.paused and 'generation.completed' = any (s.events)
        ) or exists (select from callbacks c where c.generation_id = id),
        exists (select from breakers where faults > 0 or locked_until is not null)
      from unnest(ended, owners) as each (id, owner) left join removed on removed.job_key = 'generation:' || id;
end $$;
