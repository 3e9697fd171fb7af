-- Returns the generation that gets the next slot of a provider, among those of a family. A trial comes first. Then owners take turns: the
-- owner with the fewest slots, then the owner whose last slot is the oldest. The owner of the last failed trial comes after all others,
-- because that owner may not start the next one. Within an owner the oldest submit comes first.
-- `held`, `served` and `since` order it among the families of the provider. Reads one index entry for each waiting owner, whatever the
-- number of its submits.
create or replace function next_waiting_submit(vendor text, family text, out generation_id text, out held bigint, out served timestamptz, out since timestamptz)
language plpgsql stable as $$
begin
  select w.generation_id, -1, null, w.since into generation_id, held, served, since
    from waiting_submits w join breakers b on b.trial_by = w.generation_id
    where w.provider = vendor and w.family_id = family and b.trial_until > present() limit 1;
  if found then
    return;
  end if;
  with recursive owners as (
    (select w.owner_id from waiting_submits w where w.provider = vendor and w.family_id = family order by w.owner_id limit 1)
    union all
    select (select w.owner_id from waiting_submits w where w.provider = vendor and w.family_id = family and w.owner_id > o.owner_id
        order by w.owner_id limit 1)
      from owners o where o.owner_id is not null
  )
  select oldest.generation_id, slots.held, slots.served, oldest.since into generation_id, held, served, since
    from owners o
      cross join lateral (
        select w.generation_id, w.since from waiting_submits w where w.provider = vendor and w.family_id = family and w.owner_id = o.owner_id
          order by w.since, w.generation_id limit 1
      ) as oldest
      cross join lateral (
        select count(*) filter (where s.released_at is null) as held, max(s.taken_at) as served from vendor_slots s
          where s.provider = vendor and s.owner_id = o.owner_id
      ) as slots
    order by exists (select from breakers b where b.subject in ('vendor:' || vendor, 'family:' || family) and b.failed_by = md5(o.owner_id)),
      slots.held, slots.served nulls first, oldest.since, oldest.generation_id limit 1;
end $$;
