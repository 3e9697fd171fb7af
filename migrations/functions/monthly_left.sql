-- What the monthly ceiling of a key or an account leaves at this moment, in hundredths: the ceiling minus the credits charged this month
-- (in UTC, by the database's clock) minus the credits held. Null without a ceiling; negative when the ceiling was lowered below the rest.
create or replace function monthly_left(monthly_limit bigint, held bigint, charged_month date, charged_in_month bigint) returns bigint
language sql stable parallel safe as $$
  select monthly_limit - held - spent_this_month(charged_month, charged_in_month)
$$;
