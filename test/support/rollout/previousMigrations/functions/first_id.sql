-- The least identifier that could be made at `moment`: its milliseconds in the alphabet of our identifiers, and nothing but zeros behind.
-- Bounds of partitions are such; `firstIdAt` of src/contract/ids.ts says the same.
create or replace function first_id(prefix text, moment timestamptz) returns text language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((floor(extract(epoch from moment) * 1000)::bigint >> (5 * place)) & 31)::integer, 1),
      '' order by place desc
    ) || repeat('0', 16)
    from generate_series(0, 9) as place
$$;
