-- Returns what a key was charged today, from its counter and the day of the counter. A statement that began just before midnight may read
-- the counter of the next day. A later day was written by a wrong clock and is ignored.
create or replace function spent_today(charged_day date, charged_on_day bigint) returns bigint language sql stable parallel safe as $$
  select case when charged_day in (utc_day(present()), utc_day(present()) + 1) then charged_on_day else 0 end
$$;
