-- Deletes `rows_max` deliveries older than `days`, with their attempts, in the partitions that also have young rows: the first one, which
-- once was the whole log, and the default one. Other deliveries are deleted with their partition. Continues after the time `after` in
-- `in_partition`, where the previous call stopped, so that dead rows are not read again. Null: from the oldest.
-- Locks: deliveries, skipping locked ones.
create or replace function prune_old_deliveries(days integer, rows_max integer, in_partition text, after timestamptz)
returns table (pruned integer, came_to text, last_at timestamptz) language plpgsql as $$
declare
  partition record;
  old record;
begin
  for partition in
    select p.partition_name as name from partitions_of('webhook_deliveries') p
      where p.from_id is null and (in_partition is null or p.partition_name >= in_partition) order by p.partition_name
  loop
    execute format('select array_agg(id) as ids, max(created_at) as last_at from (select id, created_at from %I
        where created_at >= $1 and created_at < present() - $2 * interval ''1 day'' order by created_at limit $3 for update skip locked) as first',
      partition.name)
      into old using case when partition.name = in_partition then after else '-infinity' end, days, rows_max;
    if old.ids is not null then
      execute format('delete from %I where id = any ($1)', partition.name) using old.ids;
      delete from webhook_attempts where delivery_id = any (old.ids);
      delete from callbacks where delivery_id = any (old.ids);
      return query select cardinality(old.ids), partition.name, old.last_at;
      return;
    end if;
  end loop;
end $$;
