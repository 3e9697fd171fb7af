-- Ends a generation by compare-and-set on its state and fence, settles its hold, and releases its trial, its vendor slot and its place in
-- the start queue. Returns false when another transition came first.
-- `expected_fence` null: any fence, for a cancel or the reconciler. `charge`: captures the price instead of releasing it. Returns no row:
-- when a newer release adds a column while this call waits for a lock, the row would not have the type that the caller expects.
-- Locks: the generation, account, key, breakers, vendor slot, start queue.
create or replace function end_generation(
  generation text, from_states text[], to_state text, expected_fence integer, charge boolean, new_result jsonb, new_failure jsonb
) returns boolean language plpgsql as $$
declare
  spending_account text;
  spending_key text;
  price_held bigint;
  person text;
begin
  update generations set state = to_state, finished_at = present(), result = new_result, failure = new_failure,
      credits_charged = case when charge then price else 0 end
    where id = generation and state = any(from_states) and (expected_fence is null or fence = expected_fence)
    returning account_id, key_id, price, case source when 'editor' then user_id end into spending_account, spending_key, price_held, person;
  if not found then
    return false;
  end if;
  if spending_account is not null then
    perform settle_credits(spending_account, spending_key, generation, price_held, charge);
    if person is not null then
      perform settle_person(spending_account, person, price_held, charge);
    end if;
  end if;
  perform end_trial(generation);
  perform release_vendor_slot(generation);
  perform dequeue_start(generation, false);
  perform pg_notify('generation', generation);
  return true;
end $$;
