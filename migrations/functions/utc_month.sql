-- Returns the first day of the calendar month in UTC, by which monthly ceilings count.
create or replace function utc_month(moment timestamptz) returns date language sql immutable parallel safe as $$
  select date_trunc('month', moment at time zone 'UTC')::date
$$;
