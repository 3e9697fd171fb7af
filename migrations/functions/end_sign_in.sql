-- Subtracts an attempt from its counts, because it succeeded or its password was not checked. A success also makes the account known at
-- the address: see sign_in_is_known. Locks: rows of auth.sign_in_counts in the order of subject.
create or replace function end_sign_in(who text, place text, succeeded boolean) returns void language plpgsql as $$
declare
  pair text := 'pair:' || who || ':' || place;
begin
  perform from auth.sign_in_counts where subject in (select subject from sign_in_rules(who, place)) order by subject for update;
  update auth.sign_in_counts c
    set tries = greatest(c.tries - 1, 0), next_at = case when c.tries - 1 < rule.free then '-infinity' else c.next_at end
    from sign_in_rules(who, place) rule where c.subject = rule.subject;
  if succeeded then
    update auth.sign_in_counts set tries = 0, next_at = '-infinity', succeeded_at = present() where subject = pair;
  end if;
end $$;
