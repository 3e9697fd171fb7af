-- What the daily ceiling of the team leaves a person at this moment, in hundredths, for generations that they start themselves: the ceiling
-- minus the credits charged today (in UTC, by the database's clock) minus the credits held. Null without a ceiling.
create or replace function person_daily_left(account text, person text) returns bigint language sql stable parallel safe as $$
  select t.run_daily_limit - coalesce(p.held_open, 0) - coalesce(spent_today(p.charged_day, p.charged_on_day), 0)
    from credit_accounts a join teams t on t.id = a.team_id left join person_spending p on p.account_id = a.id and p.user_id = person
    where a.id = account
$$;
