-- Counts an attempt to sign in before its password is checked, so that attempts at the same moment cannot exceed the limits of
-- sign_in_rules. Returns 0 when the attempt may continue. Otherwise returns the seconds to wait, and counts nothing.
-- A call that waited for the locks has an earlier present() than the call that wrote the rows. For this reason next_at is -infinity below
-- the limit, and the leak is never negative.
-- Locks: rows of auth.sign_in_counts in the order of subject.
create or replace function begin_sign_in(who text, place text) returns integer language plpgsql as $$
declare
  rules text[] := array(select subject from sign_in_rules(who, place) order by subject);
  allowed_at timestamptz;
  rule record;
  bucket record;
  leaked integer;
begin
  select max(next_at) into allowed_at from auth.sign_in_counts where subject = any (rules);
  if allowed_at > present() then
    return ceil(extract(epoch from allowed_at - present()));
  end if;
  insert into auth.sign_in_counts (subject, tries, counted_at, next_at)
    select subject, 0, present(), '-infinity' from unnest(rules) as subject order by subject on conflict do nothing;
  perform from auth.sign_in_counts where subject = any (rules) order by subject for update;
  select max(next_at) into allowed_at from auth.sign_in_counts where subject = any (rules);
  if allowed_at > present() then
    return ceil(extract(epoch from allowed_at - present()));
  end if;
  for rule in select * from sign_in_rules(who, place) loop
    select tries, counted_at into bucket from auth.sign_in_counts where subject = rule.subject;
    leaked := greatest(0, least(bucket.tries, floor(extract(epoch from present() - bucket.counted_at) / rule.leak)));
    bucket.tries := bucket.tries - leaked + 1;
    update auth.sign_in_counts
      set tries = bucket.tries,
        counted_at = case when bucket.tries = 1 then present() else bucket.counted_at + leaked * rule.leak * interval '1 second' end,
        next_at = case when bucket.tries < rule.free then '-infinity'
          else present() + least(rule.longest, rule.pause * 2 ^ least(bucket.tries - rule.free, 20)) * interval '1 second' end
      where subject = rule.subject;
  end loop;
  return 0;
end $$;
