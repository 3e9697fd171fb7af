-- What the daily ceiling of a key leaves at this moment, in hundredths: the ceiling minus the credits charged today (in UTC, by the
-- database's clock) minus the credits held. Null without a ceiling; negative when the ceiling was lowered below what is spent and held.
create or replace function daily_left(k api_keys) returns bigint language sql stable parallel safe as $$
  select k.daily_limit - k.held_open - spent_today(k.charged_day, k.charged_on_day)
$$;
