-- Whether a key opens anything, by what its row says of its end. Everything that dies with a key asks here.
create or replace function key_lives(revoked_at timestamptz, expires_at timestamptz) returns boolean language sql stable parallel safe as $$
  select revoked_at is null and (expires_at is null or expires_at > present())
$$;
