-- Whether a key is neither revoked nor expired. Everything that ends with a key, such as its result links, checks this.
create or replace function key_is_live(revoked_at timestamptz, expires_at timestamptz) returns boolean language sql stable parallel safe as $$
  select revoked_at is null and (expires_at is null or expires_at > present())
$$;
