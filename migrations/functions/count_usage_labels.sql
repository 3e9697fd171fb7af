-- Adds a generation that has ended to the usage of its reference and of each entry of its metadata. Each day counts only its first
-- names of metadata (take_usage_name), and the first `values_max` values of each name. So a caller creates a bounded number of rows, and the
-- usage of any span reads a bounded number. The caller holds the lock of the account, which serialises the ends of one account. Locks: the
-- rows of the day.
create or replace function count_usage_labels(ended text) returns void language plpgsql as $$
declare
  values_max constant integer := 1000;
begin
  insert into usage_labels as u (account_id, owner_id, name, day, value, ready, failed, cancelled, charged)
    select g.account_id, g.owner_id, label.name, utc_day(g.finished_at), label.value, (g.state = 'ready')::integer,
        (g.state = 'failed')::integer, (g.state = 'cancelled')::integer, g.credits_charged
      from generations g
        cross join lateral (select '' as name, g.reference as value union all select key, value from jsonb_each_text(g.metadata)) as label
      where g.id = ended and label.value is not null and case
        when exists (select from usage_labels k where k.owner_id = g.owner_id and k.account_id = g.account_id and k.name = label.name
          and k.day = utc_day(g.finished_at) and k.value = label.value) then true
        when label.name <> '' and not exists (select from usage_labels k where k.owner_id = g.owner_id and k.account_id = g.account_id
          and k.name = label.name and k.day = utc_day(g.finished_at)) then take_usage_name(g.account_id, g.owner_id, utc_day(g.finished_at))
        else (select count(*) from (select from usage_labels k where k.owner_id = g.owner_id and k.account_id = g.account_id
          and k.name = label.name and k.day = utc_day(g.finished_at) limit values_max) as counted) < values_max
      end
      order by label.name
    on conflict on constraint usage_labels_once do update set ready = u.ready + excluded.ready, failed = u.failed + excluded.failed,
      cancelled = u.cancelled + excluded.cancelled, charged = u.charged + excluded.charged;
end $$;
