-- Returns whether a person signed in to this account from this address within the last 30 days.
create or replace function sign_in_is_known(who text, place text) returns boolean language sql stable as $$
  select exists (
    select from auth.sign_in_counts
      where subject = 'pair:' || who || ':' || place and succeeded_at > present() - interval '30 days'
  )
$$;
