-- A key may end at a moment, and have a new value while the one before works on for a while.
alter table api_keys
  add column expires_at timestamptz,
  add column previous_hash bytea,
  add column previous_prefix text,
  add column previous_until timestamptz,
  add constraint api_keys_previous_whole check (num_nonnulls(previous_hash, previous_prefix, previous_until) in (0, 3));
comment on column api_keys.previous_hash is 'of the value before the last rotation, which works until previous_until';
-- Those of every rotation with an overlap, in use or not: a request that brings an unknown value looks here too.
create unique index api_keys_previous_hash on api_keys (previous_hash) where previous_hash is not null;

-- Lists of keys are stretches of these, newest first.
create index api_keys_of_team on api_keys (team_id, id);
create index api_keys_of_user on api_keys (user_id, id);
drop index api_keys_team;
drop index api_keys_user;

-- Which results a key holds links to; the links themselves are sealed and kept nowhere. No foreign key: this is written often, beside
-- requests, and what it names is never deleted.
create table result_links (
  key_id text not null,
  generation_id text not null,
  until timestamptz not null,
  primary key (key_id, generation_id)
) with (fillfactor = 70);
comment on column result_links.until is 'when the newest link ends by itself';
