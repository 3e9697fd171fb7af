-- Ends a generation by compare-and-set, settles its hold, and gives back its slot with the vendor and its places: as a trial, and in the
-- line of its owner. False when another move won.
-- `expected_fence` null: whoever runs it (a cancel, the reconciler). `charge`: capture the price instead of releasing it.
-- It gives no row: one that it had waited for while a newer release added a column would not be of the type that its caller expects.
create or replace function end_generation(
  generation text, from_states text[], to_state text, expected_fence integer, charge boolean, new_result jsonb, new_failure jsonb
) returns boolean language plpgsql as $$
declare
  spending_account text;
  spending_key text;
  held bigint;
begin
  update generations set state = to_state, finished_at = present(), result = new_result, failure = new_failure,
      credits_charged = case when charge then price else 0 end
    where id = generation and state = any(from_states) and (expected_fence is null or fence = expected_fence)
    returning account_id, key_id, price into spending_account, spending_key, held;
  if not found then
    return false;
  end if;
  if spending_account is not null then
    perform settle_credits(spending_account, spending_key, generation, held, charge);
  end if;
  perform end_trial(generation);
  perform release_vendor_slot(generation);
  perform dequeue_start(generation, false);
  perform pg_notify('generation', generation);
  return true;
end $$;
