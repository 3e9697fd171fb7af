-- Counts a try to sign in before it is made, so that of many at once no more are made than are free. Returns how many seconds it has to
-- wait: at 0 it may be made, else it was not counted. One that waited for others here reads an earlier moment than they wrote: what is
-- free is therefore free for ever, and no time before the last count leaks anything.
create or replace function begin_sign_in(who text, place text) returns integer language plpgsql as $$
declare
  rules text[] := array(select subject from sign_in_rules(who, place) order by subject);
  open_at timestamptz;
  rule record;
  row record;
  leaked integer;
begin
  select max(next_at) into open_at from auth.sign_in_counts where subject = any (rules);
  if open_at > present() then
    return ceil(extract(epoch from open_at - present()));
  end if;
  insert into auth.sign_in_counts (subject, tries, counted_at, next_at)
    select subject, 0, present(), '-infinity' from unnest(rules) as subject order by subject on conflict do nothing;
  perform from auth.sign_in_counts where subject = any (rules) order by subject for update;
  select max(next_at) into open_at from auth.sign_in_counts where subject = any (rules);
  if open_at > present() then
    return ceil(extract(epoch from open_at - present()));
  end if;
  for rule in select * from sign_in_rules(who, place) loop
    select tries, counted_at into row from auth.sign_in_counts where subject = rule.subject;
    leaked := greatest(0, least(row.tries, floor(extract(epoch from present() - row.counted_at) / rule.leak)));
    row.tries := row.tries - leaked + 1;
    update auth.sign_in_counts
      set tries = row.tries,
        counted_at = case when row.tries = 1 then present() else row.counted_at + leaked * rule.leak * interval '1 second' end,
        next_at = case when row.tries < rule.free then '-infinity'
          else present() + least(rule.longest, rule.pause * 2 ^ least(row.tries - rule.free, 20)) * interval '1 second' end
      where subject = rule.subject;
  end loop;
  return 0;
end $$;
