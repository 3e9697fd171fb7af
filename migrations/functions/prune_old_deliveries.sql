-- Deletes `rows_max` deliveries, with their attempts, of more than `days`, where they stand among many younger ones: in the partition that
-- was the whole log once, and in that of wrong clocks. All others go with their partition. Begins at `after` in `in_partition`, where the
-- call before came to, so that it does not read again what is deleted and not vacuumed yet; at null it begins at the oldest.
-- Locks: deliveries; one that is locked is left for the next time.
create or replace function prune_old_deliveries(days integer, rows_max integer, in_partition text, after timestamptz)
returns table (pruned integer, came_to text, last_at timestamptz) language plpgsql as $$
declare
  wide record;
  old record;
begin
  for wide in
    select p.partition_name as name from partitions_of('webhook_deliveries') p
      where p.from_id is null and (in_partition is null or p.partition_name >= in_partition) order by p.partition_name
  loop
    execute format('select array_agg(id) as ids, max(created_at) as last_at from (select id, created_at from %I
        where created_at >= $1 and created_at < present() - $2 * interval ''1 day'' order by created_at limit $3 for update skip locked) as first',
      wide.name)
      into old using case when wide.name = in_partition then after else '-infinity' end, days, rows_max;
    if old.ids is not null then
      execute format('delete from %I where id = any ($1)', wide.name) using old.ids;
      delete from webhook_attempts where delivery_id = any (old.ids);
      return query select cardinality(old.ids), wide.name, old.last_at;
      return;
    end if;
  end loop;
end $$;
