-- How tries to sign in are counted, for one account from one place. `free` of them meet no pause; then come pauses that double, from
-- `pause` to `longest` seconds, and one try is forgotten every `leak` seconds. Both together are held strictly; all strangers to an
-- account share a softer count, and so do all accounts at a place. Whoever signed in to the account from there in the last month meets
-- neither of these: others who guess cannot keep them out.
create or replace function sign_in_rules(who text, place text)
  returns table (subject text, free integer, pause integer, longest integer, leak integer) language sql stable as $$
  select rule.* from (
    values ('account:' || who, 50, 5, 60, 60), ('address:' || place, 30, 5, 300, 60), ('pair:' || who || ':' || place, 5, 15, 900, 900)
  ) as rule (subject, free, pause, longest, leak)
    where rule.subject like 'pair:%' or not exists (
      select from auth.sign_in_counts c
        where c.subject = 'pair:' || who || ':' || place and c.succeeded_at > present() - interval '30 days'
    )
$$;
