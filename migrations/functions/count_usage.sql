-- Trigger: adds a generation that has ended to the usage of its day and of its labels, except one without an account, which the editor
-- settles. Does nothing in end_stored_results, which counts all of its generations at once. Locks: the rows of the day, before the key.
-- The lock of the account already serialises the ends of one account.
create or replace function count_usage() returns trigger language plpgsql as $$
begin
  if current_setting('atelier.ends', true) = 'together' then
    return null;
  end if;
  insert into usage_days as u (account_id, owner_id, day, key_id, family_id, ready, failed, cancelled, charged)
    values (new.account_id, new.owner_id, utc_day(new.finished_at), new.key_id, new.family_id, (new.state = 'ready')::integer,
      (new.state = 'failed')::integer, (new.state = 'cancelled')::integer, new.credits_charged)
    on conflict on constraint usage_days_once do update set ready = u.ready + excluded.ready, failed = u.failed + excluded.failed,
      cancelled = u.cancelled + excluded.cancelled, charged = u.charged + excluded.charged;
  if new.reference is not null or new.metadata <> '{}' then
    perform count_usage_labels(new.id);
  end if;
  return null;
end $$;
