create table service_tokens (
  id text primary key,
  name text not null,
  prefix text not null,
  hash bytea not null unique,
  read_only boolean not null,
  team_ids text[],
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
comment on table service_tokens is 'Named tokens of internal tools, beside SERVICE_TOKEN.';
comment on column service_tokens.hash is 'SHA-256 of the value, which is shown once';
comment on column service_tokens.team_ids is 'the only teams that the token may act on; null for everything';
