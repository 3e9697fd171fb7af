-- What a key was charged today, from its counter and the last day to which the counter belongs. A statement that began just before
-- midnight may meet the counter of the day after; a day further ahead was written by a wrong clock and counts for nothing.
create or replace function spent_today(charged_day date, charged_on_day bigint) returns bigint language sql stable parallel safe as $$
  select case when charged_day in (utc_day(present()), utc_day(present()) + 1) then charged_on_day else 0 end
$$;
