-- Generations that people start in the admin UI, on the credits of their team.
alter table teams add column members_may_run boolean not null default false;
-- The check is on a column that older processes do not write.
-- narrows teams: satisfied since 0.2.0
alter table teams add column run_daily_limit bigint constraint teams_run_daily_limit_check check (run_daily_limit >= 0);
comment on column teams.members_may_run is 'whether members, too, may start generations in the admin UI; owners and administrators always may';
comment on column teams.run_daily_limit is 'hundredths of a credit that each person may spend there on a day in UTC; null for no limit';
create table person_spending (
  account_id text not null references credit_accounts,
  user_id text not null references users,
  held_open bigint not null default 0 check (held_open >= 0),
  charged_day date not null default '-infinity',
  charged_on_day bigint not null default 0 check (charged_on_day >= 0),
  primary key (account_id, user_id)
);
comment on table person_spending is 'What each person holds and was charged for generations that they started themselves. Changes under the lock of the account.';
comment on column person_spending.held_open is 'hundredths of a credit held by open generations';
comment on column person_spending.charged_day is 'the day in UTC to which charged_on_day belongs';
comment on column person_spending.charged_on_day is 'hundredths of a credit charged on charged_day';
