-- People, teams, credits, keys, generations, files. Amounts are bigint hundredths of a credit.

create table users (
  id text primary key,
  email text not null,
  name text not null,
  password_hash text,
  subscription_active boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table teams (
  id text primary key,
  name text not null,
  plan_expires_at timestamptz,
  blocked boolean not null default false,
  external_access boolean not null default true,
  created_at timestamptz not null default now()
);

create table memberships (
  team_id text not null references teams,
  user_id text not null references users,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
create index memberships_user on memberships (user_id);

create table credit_accounts (
  id text primary key,
  team_id text unique references teams,
  user_id text unique references users,
  balance bigint not null default 0,
  held bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint credit_accounts_one_owner check (num_nonnulls(team_id, user_id) = 1),
  constraint credit_accounts_held_not_negative check (held >= 0),
  constraint credit_accounts_covers_held check (balance >= held)
) with (fillfactor = 50);

create table api_keys (
  id text primary key,
  team_id text references teams,
  user_id text not null references users,
  name text not null,
  scopes text[] not null,
  prefix text not null,
  hash bytea not null unique,
  daily_limit bigint check (daily_limit >= 0),
  single_limit bigint check (single_limit >= 0),
  held_open bigint not null default 0 check (held_open >= 0),
  charged_day date not null default '-infinity',
  charged_on_day bigint not null default 0 check (charged_on_day >= 0),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
) with (fillfactor = 50);
comment on column api_keys.user_id is 'who issued the key, in whose name it acts';
create index api_keys_team on api_keys (team_id);
create index api_keys_user on api_keys (user_id);

create table generations (
  id text primary key,
  owner_id text not null,
  account_id text references credit_accounts,
  user_id text references users,
  key_id text references api_keys,
  source text not null check (source in ('rest', 'mcp', 'editor')),
  state text not null check (state in ('queued', 'running', 'finalizing', 'ready', 'failed', 'cancelled')),
  family_id text not null,
  model_id text,
  task text,
  output_type text not null check (output_type in ('image', 'video', 'audio', 'model3d', 'text')),
  axes jsonb not null default '{}',
  prompt text,
  parameters jsonb not null default '{}',
  inputs jsonb not null default '{"imageIds":[],"videoIds":[],"audioIds":[],"model3dIds":[]}',
  price bigint not null check (price >= 0),
  credits_charged bigint check (credits_charged >= 0 and credits_charged <= price),
  fence integer not null default 0,
  attempt integer not null default 0,
  result jsonb,
  failure jsonb,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  deadline_at timestamptz,
  constraint generations_ended check ((state in ('ready', 'failed', 'cancelled')) = (finished_at is not null)),
  constraint generations_charged check ((finished_at is not null) = (credits_charged is not null)),
  constraint generations_paid check (source = 'editor' or account_id is not null),
  constraint generations_result check ((state = 'ready') = (result is not null)),
  constraint generations_failure check ((state = 'failed') = (failure is not null))
) with (fillfactor = 70);
comment on column generations.owner_id is 'whose history it stands in: a team, or a user without one';
comment on column generations.fence is 'raised by every job that takes the work over; a write with an older fence is refused';
create index generations_history on generations (owner_id, id desc);
create index generations_history_by_state on generations (owner_id, state, id desc);
create index generations_open on generations (deadline_at) where finished_at is null;

create table generation_attempts (
  generation_id text not null references generations,
  number integer not null,
  provider text not null,
  idempotency_key text not null unique,
  intent_at timestamptz not null,
  handle jsonb,
  submitted_at timestamptz,
  outputs jsonb,
  jobs_begun integer not null default 0,
  primary key (generation_id, number)
);
comment on column generation_attempts.intent_at is 'written before the provider is called; a handle that never came leaves it alone';

create table ledger_transactions (
  id bigint generated always as identity primary key,
  account_id text not null references credit_accounts,
  generation_id text references generations,
  kind text not null check (kind in ('grant', 'hold', 'capture', 'release')),
  note text,
  idempotency_key text,
  created_at timestamptz not null default now(),
  constraint ledger_transactions_subject check ((kind = 'grant') = (generation_id is null))
);
create unique index ledger_one_hold on ledger_transactions (generation_id) where kind = 'hold';
create unique index ledger_one_settlement on ledger_transactions (generation_id) where kind in ('capture', 'release');
create unique index ledger_one_grant on ledger_transactions (account_id, idempotency_key) where kind = 'grant';
create index ledger_of_account on ledger_transactions (account_id, id desc);

create table ledger_entries (
  transaction_id bigint not null references ledger_transactions,
  bucket text not null check (bucket in ('granted', 'available', 'held', 'spent')),
  credits bigint not null check (credits <> 0),
  primary key (transaction_id, bucket)
);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'ATL02';
end $$;
create trigger append_only before update or delete on ledger_transactions for each row execute function refuse_ledger_change();
create trigger append_only before update or delete on ledger_entries for each row execute function refuse_ledger_change();
create trigger append_only_all before truncate on ledger_transactions for each statement execute function refuse_ledger_change();
create trigger append_only_all before truncate on ledger_entries for each statement execute function refuse_ledger_change();

-- Judged per statement: the entries of a transaction are always inserted by one.
create function entries_sum_to_zero() returns trigger language plpgsql as $$
begin
  if exists (select from new_entries group by transaction_id having sum(credits) <> 0) then
    raise exception 'ledger entries of a transaction must sum to zero' using errcode = 'ATL02';
  end if;
  return null;
end $$;
create trigger sum_to_zero after insert on ledger_entries referencing new table as new_entries
  for each statement execute function entries_sum_to_zero();

create table idempotency_records (
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  generation_id text not null,
  response jsonb not null,
  created_at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_records_age on idempotency_records (created_at);

-- Lost in a crash, which only forgives: counts of requests and slots are not worth a flush.
create unlogged table request_counts (
  subject text primary key,
  window_start bigint not null,
  requests integer not null,
  in_progress jsonb not null default '{}'
) with (fillfactor = 50);
comment on column request_counts.in_progress is 'process → requests of this subject that it is serving now';

create table processes (
  id text primary key,
  roles text[] not null,
  worker_pool_id text,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

create table family_overrides (
  family_id text primary key,
  available boolean not null,
  updated_at timestamptz not null default now()
);

create table files (
  id text primary key,
  owner_id text not null,
  user_id text references users,
  state text not null check (state in ('processing', 'ready', 'failed')),
  type text check (type in ('image', 'video', 'audio', 'model3d')),
  mime_type text,
  declared_mime_type text,
  size_bytes bigint not null check (size_bytes > 0),
  width integer,
  height integer,
  duration_seconds double precision,
  storage_key text not null,
  sha256 text not null,
  refusal jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint files_refusal check ((state = 'failed') = (refusal is not null)),
  constraint files_known check (state <> 'ready' or (type is not null and mime_type is not null))
);
create index files_owner on files (owner_id, id desc);
create index files_expiry on files (expires_at);
create index files_processing on files (created_at) where state = 'processing';
