-- Returns the leaky buckets of one attempt to sign in to an account from an address. The first `free` attempts have no pause. After them
-- the pause doubles from `pause` to `longest` seconds. One attempt leaks every `leak` seconds.
-- A pair of account and address has a strict bucket. All other addresses share one bucket for the account; all accounts share one for the
-- address, and one for its IPv6 /48, which one customer may own.
-- A known pair has its own bucket only, so that no other address can lock it out.
create or replace function sign_in_rules(who text, place text)
  returns table (subject text, free integer, pause integer, longest integer, leak integer) language sql stable as $$
  select rule.* from (
    values ('account:' || who, 50, 5, 60, 60), ('address:' || place, 30, 5, 300, 60),
      ('network:' || case when place like '%:%/64' then network(set_masklen(place::inet, 48))::text end, 60, 5, 300, 30),
      ('pair:' || who || ':' || place, 5, 15, 900, 900)
  ) as rule (subject, free, pause, longest, leak)
    where rule.subject is not null and (rule.subject like 'pair:%' or not sign_in_is_known(who, place))
$$;
