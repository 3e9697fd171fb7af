-- Returns what the charges of this month should be by usage_days, and the change in hundredths, where they differ: of an account, as a row
-- without a key, and of the keys of its owner. A key of a team spends from the account of the team, and for agents from that of its issuer.
create or replace function months_that_differ(account text) returns table (spending_key text, used bigint, change bigint) language sql stable as $$
  with one as (
    select a.id, a.team_id, a.user_id, a.charged_month, a.charged_in_month, utc_month(present()) as this_month from credit_accounts a where a.id = account
  ), keys as (
    select k.id, k.charged_month, k.charged_in_month, one.this_month from one
      join api_keys k on k.team_id = one.team_id or (k.team_id is null and k.user_id = one.user_id)
  ), of_keys as (
    select u.key_id, sum(u.charged) as charged from one
      join usage_days u on u.owner_id = coalesce(one.team_id, one.user_id) and u.day >= one.this_month and u.key_id is not null
        and u.account_id = any (array(
          select account union select c.id from one join api_keys k on k.team_id = one.team_id join credit_accounts c on c.user_id = k.user_id))
      group by u.key_id
  ), months as (
    select null as spending_key, charged_month, charged_in_month, this_month,
        (select coalesce(sum(u.charged), 0) from usage_days u where u.account_id = account and u.day >= this_month)::bigint as used
      from one
    union all
    select keys.id, charged_month, charged_in_month, this_month, coalesce(of_keys.charged, 0)::bigint
      from keys left join of_keys on of_keys.key_id = keys.id
  )
  select spending_key, used, used - stored from months
    cross join lateral (select case charged_month when this_month then charged_in_month else 0 end as stored) as known
    where charged_month <= this_month and used <> stored
$$;
