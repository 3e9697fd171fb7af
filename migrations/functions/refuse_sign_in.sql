-- Takes back the count of an attempt for its account, when the attempt was refused unchecked because too many passwords were being checked.
-- It still counts for its address and network, because otherwise a flood of refused attempts would cost nothing. Locks: rows of
-- auth.sign_in_counts in the order of subject.
create or replace function refuse_sign_in(who text, place text) returns void language plpgsql as $$
begin
  perform from auth.sign_in_counts where subject in (select subject from sign_in_rules(who, place)) order by subject for update;
  update auth.sign_in_counts c
    set tries = greatest(c.tries - 1, 0), next_at = case when c.tries - 1 < rule.free then '-infinity' else c.next_at end
    from sign_in_rules(who, place) rule
    where c.subject = rule.subject and rule.subject like any (array['account:%', 'pair:%']);
end $$;
