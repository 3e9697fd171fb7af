-- For processes of the release before; see prune_old_deliveries.
-- Deletes `rows_max` deliveries, with their attempts, of more than `days`, where they stand among many younger ones: in the partition that
-- was the whole log once, and in that of wrong clocks. All others go with their partition. Returns how many.
-- Locks: deliveries; one that is locked is left for the next time.
create or replace function prune_first_deliveries(days integer, rows_max integer) returns integer language plpgsql as $$
declare
  wide record;
  old text[];
begin
  for wide in select p.partition_name from partitions_of('webhook_deliveries') p where p.from_id is null order by p.is_default loop
    execute format('select array(select id from %I where created_at < present() - $1 * interval ''1 day'' order by created_at limit $2
      for update skip locked)', wide.partition_name) into old using days, rows_max;
    if old <> '{}' then
      execute format('delete from %I where id = any ($1)', wide.partition_name) using old;
      delete from webhook_attempts where delivery_id = any (old);
      delete from webhook_queue where delivery_id = any (old);
      return cardinality(old);
    end if;
  end loop;
  return 0;
end $$;
