-- A partition may hold nothing that its parent has not been told of: the two checks of 0020 are proved as well.
alter table webhook_deliveries validate constraint in_first_partition;
alter table webhook_deliveries validate constraint webhook_deliveries_queued;
alter table webhook_deliveries validate constraint webhook_deliveries_under_way;
alter table webhook_attempts validate constraint in_first_partition;

-- Makes a table the first partition of a new one that takes its name: the same columns, checks, indexes, triggers, comments and grants,
-- and a default partition for what fits nowhere. Nothing is read: `in_first_partition` is proved. The last of 0136 to 0139 drops it.
create function make_first_partition(of_table text, id_column text, storage text) returns void language plpgsql as $$
declare
  first_name text := of_table || '_first';
  bound text;
  each record;
  makers text[] := '{}';
begin
  perform set_config('lock_timeout', '400ms', true);
  execute format('lock table %I in access exclusive mode', of_table);
  select substring(pg_get_constraintdef(oid) from '''([^'']*)''') into bound
    from pg_constraint where conrelid = of_table::regclass and conname = 'in_first_partition' and convalidated;
  if bound is null then
    raise exception 'the rows of % are not proved to fit into a first partition', of_table;
  end if;
  -- The definitions name the table, which is the new one when they run.
  for each in select tgname, pg_get_triggerdef(oid) as made from pg_trigger where tgrelid = of_table::regclass and not tgisinternal loop
    makers := makers || each.made;
    execute format('drop trigger %I on %I', each.tgname, of_table);
  end loop;
  for each in
    select i.relname as index_name, pg_get_indexdef(x.indexrelid) as made, c.conname as constraint_name, c.contype
      from pg_index x join pg_class i on i.oid = x.indexrelid left join pg_constraint c on c.conindid = x.indexrelid and c.conrelid = x.indrelid
      where x.indrelid = of_table::regclass and x.indisvalid
  loop
    -- The primary key keeps its name, by which processes of the release before know it when they meet one of their rows again.
    if each.contype = 'p' then
      makers := makers || (select format('alter table %I add constraint %I %s', of_table, of_table || '_key', pg_get_constraintdef(oid))
        from pg_constraint where conrelid = of_table::regclass and contype = 'p');
      continue;
    elsif each.contype is null then
      makers := makers || each.made;
    end if;
    execute format('alter index %I rename to %I', each.index_name, first_name || '_' ||
      case when starts_with(each.index_name, of_table || '_') then substr(each.index_name, length(of_table) + 2) else each.index_name end);
  end loop;
  for each in
    select a.privilege_type, case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as grantee
      from pg_class c cross join lateral aclexplode(c.relacl) a where c.oid = of_table::regclass and a.grantee <> c.relowner
  loop
    makers := makers || format('grant %s on %I to %s', each.privilege_type, of_table, each.grantee);
  end loop;

  execute format('alter table %I rename to %I', of_table, first_name);
  execute format('create table %I (like %I including defaults including constraints including storage including compression including comments)
    partition by range (%I)', of_table, first_name, id_column);
  execute format('alter table %I drop constraint in_first_partition', of_table);
  execute (select coalesce(string_agg(maker, '; '), '') from unnest(makers) as maker);
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', of_table, first_name, bound);
  execute format('alter table %I drop constraint in_first_partition', first_name);
  execute format('create table %I partition of %I default with (%s)', of_table || '_default', of_table, storage);
end $$;
