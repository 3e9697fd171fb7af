-- Generations, deliveries and their attempts are going to be partitioned by the time in their identifiers, so that what is past its time
-- goes as a whole table and not row by row. The next files do that in short steps: a check is added without a look at the rows, proved
-- while everybody works on, and then the table becomes the first partition of a new one that takes its name.
-- The key is compared by the collation that the column has. PostgreSQL wants the primary key's to be the same, and giving the column
-- another would build each of its indexes anew while nobody may touch the table.

-- What stands in functions/; the next files need it before those are applied.
create function first_id(prefix text, moment timestamptz) returns text language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((floor(extract(epoch from moment) * 1000)::bigint >> (5 * place)) & 31)::integer, 1),
      '' order by place desc
    ) || repeat('0', 16)
    from generate_series(0, 9) as place
$$;

-- Tables that were partitions and are no more: none of their rows is read again. `swept_to` is up to where the objects of their results
-- were queued for removal. A row stays for good, as a note of what was forgotten.
create table retired_partitions (
  name text primary key,
  of_table text not null,
  from_id text,
  until_id text not null,
  retired_at timestamptz not null,
  swept_to text not null default '',
  dropped_at timestamptz
);
create index retired_partitions_left on retired_partitions (name) where dropped_at is null;

-- Functions that the release before does not call any more; one of them gives rows of a table that is going to be a partition.
-- removes function start_generation(jsonb, jsonb, date): unused since 0.1.0
-- removes function end_generation(text, text[], text, integer, boolean, jsonb, jsonb, timestamp with time zone, date): unused since 0.1.0
drop function if exists start_generation(jsonb, jsonb, date);
drop function if exists end_generation(text, text[], text, integer, boolean, jsonb, jsonb, timestamptz, date);

-- A few languages of the world order our letters otherwise, or take two of them for one. A database in one of those is given the order of
-- bytes here, and waits for the indexes; all others have it already.
do $$
declare
  asked record;
begin
  if (with digits as (select substr('0123456789abcdefghjkmnpqrstvwxyz', n, 1) as digit from generate_series(1, 32) as n),
        pairs as (select a.digit || b.digit as pair from digits a cross join digits b)
      select array_agg(pair order by pair) = array_agg(pair order by pair collate "C") from pairs) then
    return;
  end if;
  alter table generation_attempts drop constraint generation_attempts_generation_id_fkey;
  alter table webhook_attempts drop constraint webhook_attempts_delivery_id_fkey;
  for asked in values ('generations', 'id'), ('generation_attempts', 'generation_id'), ('webhook_deliveries', 'id'), ('webhook_attempts', 'delivery_id') loop
    execute format('alter table %I alter column %I type text collate "C"', asked.column1, asked.column2);
  end loop;
end $$;
