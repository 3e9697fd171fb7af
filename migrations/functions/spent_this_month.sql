-- What a key or an account was charged this month, from its counter and the last month to which the counter belongs. As with
-- `spent_today`, a statement that began just before the end of a month may meet the counter of the next month; other months count for
-- nothing.
create or replace function spent_this_month(charged_month date, charged_in_month bigint) returns bigint language sql stable parallel safe as $$
  select case when charged_month in (utc_month(present()), utc_month(present() + interval '1 day')) then charged_in_month else 0 end
$$;
