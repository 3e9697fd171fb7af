-- Returns the smallest identifier with this prefix that can be generated at `moment`: its milliseconds in the alphabet of identifiers, then
-- zeros. The bounds of partitions are such identifiers. `firstIdAt` in src/contract/ids.ts is the same function.
create or replace function first_id(prefix text, moment timestamptz) returns text language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((floor(extract(epoch from moment) * 1000)::bigint >> (5 * place)) & 31)::integer, 1),
      '' order by place desc
    ) || repeat('0', 16)
    from generate_series(0, 9) as place
$$;
