-- Ends a generation by compare-and-set and settles its hold. Returns the row as it now stands, or null when another move won.
-- The moment is the database's; `ended_at` and `today` are what older processes think.
-- `expected_fence` null: whoever runs it (a cancel, the reconciler). `charge`: capture the price instead of releasing it.
create or replace function end_generation(
  generation text, from_states text[], to_state text, expected_fence integer, charge boolean,
  new_result jsonb, new_failure jsonb, ended_at timestamptz, today date
) returns setof generations language plpgsql as $$
declare
  ended generations;
begin
  update generations set state = to_state, finished_at = present(), result = new_result, failure = new_failure,
      credits_charged = case when charge then price else 0 end
    where id = generation and state = any(from_states) and (expected_fence is null or fence = expected_fence)
    returning * into ended;
  if not found then
    return;
  end if;
  if ended.account_id is not null then
    perform settle_credits(ended.account_id, ended.key_id, ended.id, ended.price, charge);
  end if;
  perform pg_notify('generation', ended.id);
  return next ended;
end $$;
