-- As for generations. What guards the rows now: an attempt is written by the statement that changes its delivery; a delivery is recorded
-- under the lock of its subscription, which goes only when it has had none for the time of the log. Its number comes from the counter in
-- that locked row: one index over all partitions cannot keep it unique.
set local lock_timeout = '400ms';
alter table webhook_attempts drop constraint if exists webhook_attempts_delivery_id_fkey;
alter table webhook_deliveries drop constraint webhook_deliveries_subscription_id_fkey;

do $$
declare
  starts timestamp := date_trunc('week', (now() at time zone 'UTC') + interval '2 weeks');
  newest text := (select max(id) from webhook_deliveries);
  bound text;
begin
  while first_id('evt', starts at time zone 'UTC') <= newest and starts < '2200-01-01' loop
    starts := starts + interval '1 week';
  end loop;
  bound := first_id('evt', starts at time zone 'UTC');
  if bound <= newest then
    bound := newest || '0';
  end if;
  execute format('alter table webhook_deliveries add constraint in_first_partition check (id < %L) not valid', bound);
  execute format('alter table webhook_attempts add constraint in_first_partition check (delivery_id < %L) not valid', bound);
end $$;
