-- Sign-in and sessions. Who a person is, and what stays of their password, stands in users alone.
create schema auth;

-- Somebody who has signed in, in one browser. Of what its cookie holds only a SHA-256 is kept.
create table auth.sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  digest bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on auth.sessions (user_id, created_at);
create index sessions_expiry on auth.sessions (expires_at);

-- Under which names people are known to a provider of identities.
create table auth.identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index identities_user on auth.identities (user_id);

-- Sign-ins that are under way at a provider of identities, by a hash of their state.
create table auth.pending_sign_ins (
  state text primary key,
  value text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index pending_sign_ins_expiry on auth.pending_sign_ins (expires_at);

-- Tries to sign in by password: of an account, of an address, and of both together (sign_in_rules). Nothing is tried before `next_at`; tries
-- leak away with time, counted from `counted_at`. An account is named by a hash of what was typed, whether it exists or not.
create table auth.sign_in_counts (
  subject text primary key,
  tries integer not null,
  counted_at timestamptz not null,
  next_at timestamptz not null,
  succeeded_at timestamptz
);
create index sign_in_counts_age on auth.sign_in_counts (counted_at);
