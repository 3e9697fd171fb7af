-- baseline: replaces the migrations up to 0263, which release 0.2.0 ended with

-- The data model, grouped by resource. Credits are stored as bigint, in hundredths of a credit. Identifiers are text with a prefix and a
-- time, so that they sort by age. Bodies of functions are in functions/, which the migrator applies after this file; triggers need their
-- functions to exist, so they are declared here without one.

create function count_open_ends() returns trigger language plpgsql as 'begin return null; end';
create function count_open_starts() returns trigger language plpgsql as 'begin return null; end';
create function count_returned_file() returns trigger language plpgsql as 'begin return null; end';
create function count_usage() returns trigger language plpgsql as 'begin return null; end';
create function entries_sum_to_zero() returns trigger language plpgsql as 'begin return null; end';
create function forget_inputs_in_use() returns trigger language plpgsql as 'begin return null; end';
create function leave_start_line_when_taken() returns trigger language plpgsql as 'begin return null; end';
create function note_inputs_in_use() returns trigger language plpgsql as 'begin return null; end';
create function recount_unused_files() returns trigger language plpgsql as 'begin return null; end';
create function refuse_audit_change() returns trigger language plpgsql as 'begin return null; end';
create function refuse_deletion() returns trigger language plpgsql as 'begin return null; end';
create function refuse_ledger_change() returns trigger language plpgsql as 'begin return null; end';
create function tell_progress() returns trigger language plpgsql as 'begin return null; end';

-- Bounds of partitions compare identifiers in the order of their bytes, which nearly every locale has for digits and lower-case letters.
do $$
begin
  if (with digits as (select substr('0123456789abcdefghjkmnpqrstvwxyz', n, 1) as digit from generate_series(1, 32) as n),
        pairs as (select a.digit || b.digit as pair from digits a cross join digits b)
      select array_agg(pair order by pair) <> array_agg(pair order by pair collate "C") from pairs) then
    raise exception 'the locale of the database sorts letters in another order than their bytes: create it with the locale C.UTF-8';
  end if;
end $$;

------------------------------------------------------------------------------------------------------------------------------------------
-- People and teams
------------------------------------------------------------------------------------------------------------------------------------------

create table users (
  id text primary key,
  email text not null,
  name text not null,
  password_hash text,
  subscription_active boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  forgotten_to text,
  forgotten_at timestamptz
);
comment on table users is 'People who can sign in or act for a team.';
comment on column users.password_hash is 'null for a person who signs in through an identity provider only';
comment on column users.deleted_at is 'the row stays for the ledger and the history, without personal data';
comment on column users.forgotten_to is 'the last generation from which personal data was removed after the deletion';
comment on column users.forgotten_at is 'when all personal data had been removed';
create unique index users_email on users (lower(email));
create index users_to_forget on users (id) where deleted_at is not null and forgotten_at is null;
create trigger never_deleted before delete or truncate on users for each statement execute function refuse_deletion();

create table teams (
  id text primary key,
  name text not null,
  plan_expires_at timestamptz,
  blocked boolean not null default false,
  external_access boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  forgotten_to text,
  forgotten_at timestamptz
);
comment on table teams is 'Groups of people that share keys, credits, files and history.';
comment on column teams.external_access is 'whether API keys and agents may act for the team';
comment on column teams.deleted_at is 'the row stays for the ledger, without the data of the team';
comment on column teams.forgotten_to is 'the last generation that was removed after the deletion of the team';
comment on column teams.forgotten_at is 'when all data of the team had been removed';
create index teams_to_forget on teams (id) where deleted_at is not null and forgotten_at is null;

create table memberships (
  team_id text not null references teams,
  user_id text not null references users,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
comment on table memberships is 'Which person belongs to which team, and with which role.';
create index memberships_user on memberships (user_id);

------------------------------------------------------------------------------------------------------------------------------------------
-- Sign-in
------------------------------------------------------------------------------------------------------------------------------------------

create schema auth;
comment on schema auth is 'Sessions and sign-in; the tables of people are in public.';

create table auth.sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  digest bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table auth.sessions is 'Signed-in browsers, one row for each session cookie.';
comment on column auth.sessions.digest is 'SHA-256 of the secret in the cookie; the secret is not stored';
create index sessions_user on auth.sessions (user_id, created_at);
create index sessions_expiry on auth.sessions (expires_at);

create table auth.identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
comment on table auth.identities is 'Accounts of people at OpenID Connect providers.';
create index identities_user on auth.identities (user_id);

create table auth.pending_sign_ins (
  state text primary key,
  value text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table auth.pending_sign_ins is 'Sign-ins at an OpenID Connect provider that have not returned yet.';
comment on column auth.pending_sign_ins.state is 'hash of the OAuth state parameter';
create index pending_sign_ins_expiry on auth.pending_sign_ins (expires_at);

create table auth.sign_in_counts (
  subject text primary key,
  tries integer not null,
  counted_at timestamptz not null,
  next_at timestamptz not null,
  succeeded_at timestamptz
);
comment on table auth.sign_in_counts is 'Leaky-bucket counters that limit password attempts by account, by address and by both.';
comment on column auth.sign_in_counts.subject is
  'names an account by a hash of the typed e-mail address, whether the account exists or not';
comment on column auth.sign_in_counts.counted_at is 'the time from which attempts leak out of the bucket';
comment on column auth.sign_in_counts.next_at is 'attempts before this time are refused';
create index sign_in_counts_age on auth.sign_in_counts (counted_at);

------------------------------------------------------------------------------------------------------------------------------------------
-- Credits
------------------------------------------------------------------------------------------------------------------------------------------

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
comment on table credit_accounts is 'The credits of a team, or of a person without a team.';
comment on column credit_accounts.balance is 'hundredths of a credit, including those that are held';
comment on column credit_accounts.held is 'hundredths of a credit reserved for open generations';
create trigger never_deleted before delete or truncate on credit_accounts for each statement execute function refuse_deletion();

-- Rows of a start have no foreign keys, because checking each cost a sixth of a start. start_generations() locks the account and the key,
-- refuse_deletion() keeps the rows that others refer to, and `atelier doctor` reports missing ones.
create table ledger_transactions (
  id bigint generated always as identity primary key,
  account_id text not null,
  generation_id text,
  kind text not null check (kind in ('grant', 'hold', 'capture', 'release')),
  note text,
  idempotency_key text,
  created_at timestamptz not null default now(),
  constraint ledger_transactions_subject check ((kind = 'grant') = (generation_id is null))
);
comment on table ledger_transactions is 'Append-only ledger: every change of an account, one row each.';
comment on column ledger_transactions.idempotency_key is 'of a grant; a repeated grant changes nothing';
create unique index ledger_one_hold on ledger_transactions (generation_id) where kind = 'hold';
create unique index ledger_one_settlement on ledger_transactions (generation_id) where kind in ('capture', 'release');
create unique index ledger_one_grant on ledger_transactions (account_id, idempotency_key) where kind = 'grant';
create index ledger_of_owner on ledger_transactions (account_id, id);
create index ledger_grants_of_owner on ledger_transactions (account_id, id) where kind = 'grant';
create trigger append_only before update or delete on ledger_transactions for each row execute function refuse_ledger_change();
create trigger append_only_all before truncate on ledger_transactions for each statement execute function refuse_ledger_change();

create table ledger_entries (
  transaction_id bigint not null,
  bucket text not null check (bucket in ('granted', 'available', 'held', 'spent')),
  credits bigint not null check (credits <> 0),
  primary key (transaction_id, bucket)
);
comment on table ledger_entries is 'The two sides of each ledger transaction, which sum to zero.';
comment on column ledger_entries.credits is 'hundredths of a credit, negative where they leave the bucket';
create trigger append_only before update or delete on ledger_entries for each row execute function refuse_ledger_change();
create trigger append_only_all before truncate on ledger_entries for each statement execute function refuse_ledger_change();
create trigger sum_to_zero after insert on ledger_entries referencing new table as new_entries
  for each statement execute function entries_sum_to_zero();

create table ledger_recounts (
  account_id text primary key,
  through_id bigint not null,
  available bigint not null,
  held bigint not null,
  drift bigint not null default 0,
  recounted_at timestamptz not null
);
comment on table ledger_recounts is 'How far the ledger of each account was recounted, so that a recount reads new entries only.';
comment on column ledger_recounts.through_id is 'the last ledger transaction that was counted';
comment on column ledger_recounts.drift is 'hundredths of a credit by which the account differed from its ledger at recounted_at';
create index ledger_recounts_age on ledger_recounts (recounted_at);
create index ledger_recounts_drifting on ledger_recounts (account_id) where drift <> 0;

------------------------------------------------------------------------------------------------------------------------------------------
-- API keys
------------------------------------------------------------------------------------------------------------------------------------------

create table api_keys (
  id text primary key,
  team_id text references teams,
  user_id text not null references users,
  name text not null,
  scopes text[] not null,
  prefix text not null,
  hash bytea not null unique,
  value_holder_id text,
  previous_hash bytea,
  previous_prefix text,
  previous_until timestamptz,
  previous_holder_id text,
  daily_limit bigint check (daily_limit >= 0),
  single_limit bigint check (single_limit >= 0),
  confirm_above bigint check (confirm_above >= 0),
  held_open bigint not null default 0 check (held_open >= 0),
  charged_day date not null default '-infinity',
  charged_on_day bigint not null default 0 check (charged_on_day >= 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_keys_previous_whole check (num_nonnulls(previous_hash, previous_prefix, previous_until) in (0, 3))
) with (fillfactor = 50);
comment on table api_keys is 'Keys of programs and agents, with their spending limits.';
comment on column api_keys.team_id is 'null for a key of a person without a team';
comment on column api_keys.user_id is 'the person who issued the key, for whom it acts';
comment on column api_keys.prefix is 'the visible start of the key value';
comment on column api_keys.hash is 'SHA-256 of the key value; the value is not stored';
comment on column api_keys.value_holder_id is 'the person who saw the present value at a rotation; null for the issuer and for a tool';
comment on column api_keys.previous_hash is 'SHA-256 of the value before the last rotation, valid until previous_until';
comment on column api_keys.previous_holder_id is 'the person who saw the previous value, whether it still works or not';
comment on column api_keys.daily_limit is 'hundredths of a credit for each day in UTC; null for no limit';
comment on column api_keys.single_limit is 'hundredths of a credit for each generation; null for no limit';
comment on column api_keys.confirm_above is 'price in hundredths of a credit above which an agent asks a person; null for never';
comment on column api_keys.held_open is 'hundredths of a credit held for open generations of this key';
comment on column api_keys.charged_on_day is 'hundredths of a credit charged on charged_day';
create unique index api_keys_previous_hash on api_keys (previous_hash) where previous_hash is not null;
create index api_keys_of_team on api_keys (team_id, id);
create index api_keys_of_user on api_keys (user_id, id);
create index api_keys_of_value_holder on api_keys (value_holder_id, team_id, id) where value_holder_id is not null;
create index api_keys_of_previous_holder on api_keys (previous_holder_id, team_id, id) where previous_holder_id is not null;
create trigger never_deleted before delete or truncate on api_keys for each statement execute function refuse_deletion();

create table usage_days (
  account_id text not null references credit_accounts,
  owner_id text not null,
  day date not null,
  key_id text references api_keys,
  family_id text not null,
  ready bigint not null default 0,
  failed bigint not null default 0,
  cancelled bigint not null default 0,
  charged bigint not null default 0,
  constraint usage_days_once unique nulls not distinct (account_id, owner_id, day, key_id, family_id)
) with (fillfactor = 50);
comment on table usage_days is 'Ended generations of each day in UTC, summed up by key and model family when they end.';
comment on column usage_days.charged is 'hundredths of a credit';

create unlogged table request_counts (
  subject text primary key,
  window_start bigint not null,
  requests integer not null,
  in_progress jsonb not null default '{}'
) with (fillfactor = 50);
comment on table request_counts is 'Rate limits and concurrency slots; a crash of the database resets them.';
comment on column request_counts.subject is 'a user over all keys, or a client address';
comment on column request_counts.window_start is 'the minute that is counted, in minutes since 1970';
comment on column request_counts.in_progress is 'number of requests in progress, by process';

------------------------------------------------------------------------------------------------------------------------------------------
-- Catalog
------------------------------------------------------------------------------------------------------------------------------------------

create table family_overrides (
  family_id text primary key,
  available boolean not null,
  updated_at timestamptz not null default now()
);
comment on table family_overrides is 'Model families that the operator switched on or off for everybody.';

create table team_families (
  team_id text not null references teams,
  family_id text not null,
  disabled boolean not null default false,
  disabled_by text references users,
  disabled_at timestamptz,
  granted boolean not null default false,
  primary key (team_id, family_id)
);
comment on table team_families is 'Model families that a team disabled for itself, or that the operator granted to it.';
comment on column team_families.granted is 'the team may use this restricted family';

create table breakers (
  subject text primary key,
  faults integer not null default 0,
  faulted text[] not null default '{}',
  failed_by text,
  since timestamptz not null default '-infinity',
  locked_until timestamptz,
  lock_seconds integer not null default 0,
  trial_by text,
  trial_until timestamptz,
  opened bigint not null default 0
);
comment on table breakers is 'Circuit breakers of model families and vendors, which open after failures in a row.';
comment on column breakers.subject is 'family:<id>, or vendor:<provider> when the account at the vendor is at fault';
comment on column breakers.faults is 'failures in a row; 0 while the breaker is open';
comment on column breakers.faulted is 'digests of owner and request of the failures since the last success, each once (request_digest)';
comment on column breakers.failed_by is 'digest of the owner of the last failed trial; other owners get the next trial';
comment on column breakers.since is 'when the breaker last closed; results of earlier attempts are ignored';
comment on column breakers.locked_until is 'set while the breaker is open; after this time one trial at a time passes';
comment on column breakers.trial_by is 'the generation that is the trial until trial_until';
comment on column breakers.opened is 'how often the breaker opened, failed trials included';

------------------------------------------------------------------------------------------------------------------------------------------
-- Starts
------------------------------------------------------------------------------------------------------------------------------------------

create table idempotency_records (
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  generation_id text not null,
  response jsonb not null,
  created_at timestamptz not null,
  primary key (scope, key)
);
comment on table idempotency_records is 'Answers to starts with an idempotency key, for repeated requests.';
comment on column idempotency_records.scope is 'the owner of the key, or quote:<holder> for a used quote';
comment on column idempotency_records.fingerprint is 'hash of the request; another request under the same key is refused';
create index idempotency_records_age on idempotency_records (created_at);

create table quotes (
  id text primary key,
  holder_id text not null,
  fingerprint bytea not null,
  price bigint not null check (price >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table quotes is 'Prices quoted to agents, each valid for one start.';
comment on column quotes.holder_id is 'the key that asked; for an internal tool the owner of the history';
comment on column quotes.price is 'hundredths of a credit';
create index quotes_age on quotes (created_at);

create table open_work (
  owner_id text not null,
  family_id text not null,
  open integer not null,
  primary key (owner_id, family_id)
) with (fillfactor = 50);
comment on table open_work is 'Number of open generations of each owner in each family, to refuse starts above the limit.';
comment on column open_work.open is 'excludes generations without an account, which the editor ends';

create table waiting_starts (
  generation_id text primary key,
  family_id text not null,
  owner_id text not null,
  since timestamptz not null,
  rank smallint check (rank > 0),
  head_at timestamptz check ((head_at is not null) = coalesce(rank = 1, false))
);
comment on table waiting_starts is
  'Start queues: generations without an attempt, one queue for each owner and family, so that owners take turns.';
comment on column waiting_starts.rank is 'place among the few that have a job, 1 for the head of the queue; null without a job';
comment on column waiting_starts.head_at is 'when it became the head of its queue';
create index waiting_starts_parked on waiting_starts (family_id, owner_id, since, generation_id) where rank is null;
create index waiting_starts_queued on waiting_starts (family_id, owner_id, rank) where rank is not null;
create index waiting_starts_heads on waiting_starts (family_id, head_at) where head_at is not null;
create index waiting_starts_since on waiting_starts (since) where rank is null;

create unlogged table owner_turns (
  family_id text not null,
  owner_id text not null,
  served_at timestamptz not null,
  primary key (family_id, owner_id)
);
comment on table owner_turns is 'When a start queue became empty, so that a returning owner goes before owners who were served later.';
create index owner_turns_served on owner_turns (served_at);

------------------------------------------------------------------------------------------------------------------------------------------
-- Generations
------------------------------------------------------------------------------------------------------------------------------------------

-- Partitioned by month of the identifier; see the first partitions below, and make_partitions(). The primary key of a partitioned table
-- is called `_key`, since its oldest partition may have the name `_pkey`.
create table generations (
  id text not null,
  owner_id text not null,
  account_id text,
  user_id text,
  key_id text,
  source text not null check (source in ('rest', 'mcp', 'editor')),
  state text not null check (state in ('queued', 'running', 'finalizing', 'ready', 'failed', 'cancelled')),
  family_id text not null,
  model_id text,
  fallback_model_id text,
  task text,
  output_type text not null check (output_type in ('image', 'video', 'audio', 'model3d', 'text')),
  axes jsonb not null default '{}',
  prompt text,
  parameters jsonb not null default '{}',
  inputs jsonb not null default '{"imageIds":[],"videoIds":[],"audioIds":[],"model3dIds":[]}',
  reference text,
  metadata jsonb not null default '{}',
  price bigint not null check (price >= 0),
  credits_charged bigint check (credits_charged >= 0 and credits_charged <= price),
  fence integer not null default 0,
  attempt integer not null default 0,
  progress double precision check (progress between 0 and 1),
  queue_position integer check (queue_position >= 1),
  result jsonb,
  failure jsonb,
  trace_parent text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  deadline_at timestamptz,
  constraint generations_key primary key (id),
  constraint generations_ended check ((state in ('ready', 'failed', 'cancelled')) = (finished_at is not null)),
  constraint generations_charged check ((finished_at is not null) = (credits_charged is not null)),
  constraint generations_paid check (source = 'editor' or account_id is not null),
  constraint generations_result check ((state = 'ready') = (result is not null)),
  constraint generations_failure check ((state = 'failed') = (failure is not null))
) partition by range (id);
comment on table generations is 'Requests to make media with a model, and their results.';
comment on column generations.owner_id is 'the team whose history lists it, or a person without a team';
comment on column generations.account_id is 'null for work that the editor settles itself';
comment on column generations.fallback_model_id is 'the model that took over because model_id had no capacity';
comment on column generations.axes is 'options that select a variant of the model, such as size';
comment on column generations.reference is 'set by the caller, to find the generation again';
comment on column generations.price is 'hundredths of a credit';
comment on column generations.credits_charged is 'hundredths of a credit; null until the end';
comment on column generations.fence is 'fencing token: each job that takes over increments it, and writes with an older one are refused';
comment on column generations.attempt is 'number of the current row in generation_attempts';
comment on column generations.progress is 'from 0 to 1, as the vendor reports it';
comment on column generations.queue_position is 'as the vendor reports it';
comment on column generations.trace_parent is 'W3C traceparent of the request that started it; null without tracing';
comment on column generations.deadline_at is 'null while it waits for vendor capacity, where the time left is in generation_attempts';
create index generations_open on generations (deadline_at) where finished_at is null;
create index generations_open_by_age on generations (created_at) where finished_at is null;
create index generations_ended on generations (finished_at) where finished_at is not null;
-- Each list of the history is one range of one of these indexes.
create index generations_of_owner on generations (owner_id, id);
create index generations_of_state on generations (state, owner_id, id);
create index generations_of_key on generations (key_id, state, owner_id, id) where key_id is not null;
create index generations_of_family on generations (family_id, state, owner_id, id);
create index generations_of_source on generations (source, state, owner_id, id) where source <> 'rest';
create index generations_of_reference on generations (reference, state, owner_id, id) where reference is not null;
create trigger note_inputs_in_use after insert on generations for each row
  when (new.finished_at is null and jsonb_path_exists(new.inputs, '$.*[*]')) execute function note_inputs_in_use();
create trigger forget_inputs_in_use after update of finished_at on generations for each row
  when (old.finished_at is null and new.finished_at is not null and jsonb_path_exists(new.inputs, '$.*[*]'))
  execute function forget_inputs_in_use();
create trigger count_open_starts after insert on generations referencing new table as started for each statement
  execute function count_open_starts();
create trigger count_open_ends after update of finished_at on generations for each row
  when (old.finished_at is null and new.finished_at is not null and new.account_id is not null) execute function count_open_ends();
create trigger count_usage after update of finished_at on generations for each row
  when (old.finished_at is null and new.finished_at is not null and new.account_id is not null) execute function count_usage();
create trigger tell_progress after update of state, progress, queue_position, fallback_model_id on generations for each row
  when (new.finished_at is null and (
    old.state is distinct from new.state or old.progress is distinct from new.progress
    or old.queue_position is distinct from new.queue_position or old.fallback_model_id is distinct from new.fallback_model_id))
  execute function tell_progress();
create trigger never_deleted before delete on generations for each statement
  when (current_setting('atelier.retention', true) is distinct from 'on') execute function refuse_deletion();
create trigger never_truncated before truncate on generations for each statement execute function refuse_deletion();

-- No foreign key to generations: it would be checked row by row whenever a partition is dropped.
create table generation_attempts (
  generation_id text not null,
  number integer not null,
  provider text not null,
  idempotency_key text not null,
  intent_at timestamptz,
  asked_by text,
  asked_fence integer,
  answer_until timestamptz,
  handle jsonb,
  submitted_at timestamptz,
  outputs jsonb,
  gathered_fence integer,
  jobs_begun integer not null default 0,
  tries integer not null default 0,
  time_left interval,
  cost_usd numeric check (cost_usd >= 0),
  cost_quantity double precision,
  cost_unit text,
  constraint generation_attempts_key primary key (generation_id, number)
) partition by range (generation_id);
comment on table generation_attempts is
  'Attempts to make a generation at a vendor, one row for each vendor request that is meant to create work.';
comment on column generation_attempts.idempotency_key is 'sent to the vendor; derived from the primary key, which makes it unique';
comment on column generation_attempts.intent_at is
  'written before the vendor is asked; without a handle it is unknown whether the vendor has the work';
comment on column generation_attempts.asked_by is 'the process that asks the vendor, under asked_fence';
comment on column generation_attempts.answer_until is
  'no other job takes over before this time; null for vendors that recognise repeats, and after the answer';
comment on column generation_attempts.handle is 'identifies the work at the vendor';
comment on column generation_attempts.outputs is 'where the results are at the vendor';
comment on column generation_attempts.gathered_fence is 'the fence under which the outputs were written';
comment on column generation_attempts.jobs_begun is 'jobs of the current step that began and did not end';
comment on column generation_attempts.tries is 'retries of the current step';
comment on column generation_attempts.time_left is 'time until the deadline when the work began to wait for vendor capacity';
comment on column generation_attempts.cost_usd is 'cost for the operator, in US dollars; null when it is unknown';
comment on column generation_attempts.cost_quantity is 'quantity that the vendor counted, in cost_unit';
create trigger leave_start_line_when_taken after insert on generation_attempts for each row
  when (new.number = 1) execute function leave_start_line_when_taken();

create table inputs_in_use (
  generation_id text not null,
  input_id text not null,
  primary key (generation_id, input_id)
);
comment on table inputs_in_use is 'Files and results that open generations use as inputs, which therefore cannot be deleted.';
comment on column inputs_in_use.input_id is 'a file, or a generation whose result is the input';
create index inputs_in_use_by_input on inputs_in_use (input_id);

create table result_links (
  key_id text not null,
  generation_id text not null,
  until timestamptz not null,
  primary key (key_id, generation_id)
) with (fillfactor = 70);
comment on table result_links is 'Which results each key has links to; the links themselves are sealed and not stored.';
comment on column result_links.until is 'when the newest link expires';

------------------------------------------------------------------------------------------------------------------------------------------
-- Vendor capacity
------------------------------------------------------------------------------------------------------------------------------------------

create table vendor_slots (
  id bigint generated always as identity primary key,
  generation_id text not null,
  provider text not null,
  family_id text not null,
  taken_at timestamptz not null,
  asked boolean not null default false,
  released_at timestamptz,
  owner_id text not null default ''
);
comment on table vendor_slots is
  'Concurrency slots of limited vendors, each held by one generation; released ones count for the rate of the last minute.';
comment on column vendor_slots.asked is 'the vendor was asked once; asking again takes another slot, so that the rate counts it';
create unique index vendor_slots_held on vendor_slots (generation_id) where released_at is null;
create index vendor_slots_of_provider_held on vendor_slots (provider) where released_at is null;
create index vendor_slots_of_family_held on vendor_slots (family_id) where released_at is null;
create index vendor_slots_of_provider on vendor_slots (provider, taken_at);
create index vendor_slots_of_family on vendor_slots (family_id, taken_at);
create index vendor_slots_of_owner on vendor_slots (provider, owner_id, taken_at);

create table waiting_submits (
  generation_id text primary key,
  provider text not null,
  family_id text not null,
  since timestamptz not null,
  owner_id text not null default ''
);
comment on table waiting_submits is 'Generations that wait for a vendor slot and have no job.';
create index waiting_submits_in_line on waiting_submits (provider, family_id, generation_id);
create index waiting_submits_of_owner on waiting_submits (provider, family_id, owner_id, since, generation_id);
create index waiting_submits_since on waiting_submits (since);

------------------------------------------------------------------------------------------------------------------------------------------
-- Files
------------------------------------------------------------------------------------------------------------------------------------------

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
  used boolean not null default false,
  served boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint files_refusal check ((state = 'failed') = (refusal is not null)),
  constraint files_known check (state <> 'ready' or (type is not null and mime_type is not null))
);
comment on table files is 'Uploaded files, which generations use as inputs.';
comment on column files.declared_mime_type is 'as the client sent it; mime_type is the result of the inspection';
comment on column files.storage_key is 'key of the object in the storage';
comment on column files.used is 'an open generation uses it, or it was served';
comment on column files.served is 'it was the input of a result, or of work that was paid for';
create index files_owner on files (owner_id, id desc);
create index files_expiry on files (expires_at);
create index files_processing on files (created_at) where state = 'processing';
create trigger recount_unused_removed after delete on files referencing old table as removed
  for each statement execute function recount_unused_files();
create trigger recount_unused_changed after update on files for each row
  when (not old.used and old.state <> 'failed' and (new.used or new.state = 'failed')) execute function recount_unused_files();
create trigger count_returned_file after update of used on files for each row
  when (old.used and not new.used and new.state <> 'failed') execute function count_returned_file();

create table unused_files (
  owner_id text primary key,
  files bigint not null check (files >= 0),
  bytes bigint not null check (bytes >= 0)
);
comment on table unused_files is 'Number and size of the files of each owner that no generation has used, to limit uploads.';

create table stuck_removals (
  storage_key text primary key,
  tries integer not null,
  retry_at timestamptz not null
);
comment on table stuck_removals is 'Objects of deleted rows that the storage refused to remove several times.';
create index stuck_removals_due on stuck_removals (retry_at);

------------------------------------------------------------------------------------------------------------------------------------------
-- Webhooks
------------------------------------------------------------------------------------------------------------------------------------------

create table webhook_subscriptions (
  id text primary key,
  team_id text not null references teams,
  address text not null,
  events text[] not null,
  paused boolean not null default false,
  secret bytea,
  secret_holder_id text,
  older_secret bytea,
  older_secret_until timestamptz,
  confirmed_at timestamptz,
  last_event_number integer not null default 0,
  last_delivery_day date,
  last_delivery_outcome text check (last_delivery_outcome in ('delivered', 'retrying', 'failed')),
  created_at timestamptz not null,
  deleted_at timestamptz,
  constraint webhook_subscriptions_events check (
    cardinality(events) > 0 and events <@ array['generation.completed', 'generation.failed', 'generation.cancelled']
  ),
  constraint webhook_subscriptions_secret check ((secret is null) = (deleted_at is not null)),
  constraint webhook_subscriptions_overlap check ((older_secret is null) = (older_secret_until is null))
) with (fillfactor = 50);
comment on table webhook_subscriptions is 'Addresses that receive events of a team.';
comment on column webhook_subscriptions.secret is 'signing secret, sealed; removed with the subscription, whose log stays';
comment on column webhook_subscriptions.secret_holder_id is 'the person who saw the present secret; null for a tool';
comment on column webhook_subscriptions.older_secret is 'sealed; signs beside the newer one until older_secret_until';
comment on column webhook_subscriptions.confirmed_at is
  'when the receiver first accepted a delivery; until then deliveries to its origin are rate limited';
create index webhook_subscriptions_team on webhook_subscriptions (team_id, id desc);

-- Partitioned by week of the identifier. No foreign key to subscriptions: a delivery is written under the lock of its subscription.
create table webhook_deliveries (
  id text not null,
  subscription_id text not null,
  event_number integer not null,
  event text not null,
  is_test boolean not null default false,
  body bytea not null,
  body_id text,
  trace_parent text,
  created_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'retrying', 'delivered', 'failed')),
  attempts integer not null default 0,
  retries_left smallint,
  next_attempt_at timestamptz,
  attempt_begun_at timestamptz,
  response_code integer,
  refusal text,
  response_start bytea,
  constraint webhook_deliveries_key primary key (id),
  constraint webhook_deliveries_open check ((state in ('pending', 'retrying')) = (next_attempt_at is not null)),
  constraint webhook_deliveries_queued check (retries_left is null or (retries_left >= 0 and next_attempt_at is not null)),
  constraint webhook_deliveries_under_way check (attempt_begun_at is null or retries_left is not null)
) partition by range (id);
-- Stored out of line, because the row changes with every attempt and the body does not.
alter table webhook_deliveries alter column body set storage external;
comment on table webhook_deliveries is 'Events to deliver to a subscription, and the log of those that were delivered.';
comment on column webhook_deliveries.body_id is 'the row of webhook_bodies that has the body; null when body has it';
comment on column webhook_deliveries.trace_parent is 'W3C traceparent of the job or request that ended it; null without tracing';
comment on column webhook_deliveries.retries_left is 'null when the delivery is closed';
comment on column webhook_deliveries.attempt_begun_at is 'set while an attempt is in flight, and after a process crashed during one';
comment on column webhook_deliveries.response_code is 'of the latest attempt, like refusal and response_start';
create index webhook_deliveries_due on webhook_deliveries (subscription_id, next_attempt_at) where retries_left is not null;
create index webhook_deliveries_time on webhook_deliveries (created_at);
-- Serves every list of deliveries. The time is an expression, so that the planner does not sort by webhook_deliveries_time instead.
create index webhook_deliveries_listed on webhook_deliveries
  (subscription_id, state, event, (created_at at time zone 'UTC'), event_number);

create table webhook_attempts (
  delivery_id text not null,
  number integer not null,
  begun_at timestamptz not null,
  took_seconds double precision not null,
  response_code integer,
  refusal text,
  response_start bytea,
  constraint webhook_attempts_key primary key (delivery_id, number)
) partition by range (delivery_id);
comment on table webhook_attempts is 'Every HTTP request that was made for a delivery.';
comment on column webhook_attempts.refusal is 'why there is no response';
comment on column webhook_attempts.response_start is 'the first bytes of the response body';

create table webhook_bodies (
  id text primary key,
  team_id text not null,
  body bytea not null,
  created_at timestamptz not null
);
alter table webhook_bodies alter column body set storage external;
comment on table webhook_bodies is 'Bodies that several deliveries of one event share; they differ by their identifier only.';
comment on column webhook_bodies.id is 'of the delivery for which the body was written; other deliveries replace it by their own';
create index webhook_bodies_of_team on webhook_bodies (team_id, created_at);
create index webhook_bodies_by_age on webhook_bodies (created_at);

create table webhook_hours (
  subscription_id text not null references webhook_subscriptions on delete cascade,
  hour timestamptz not null,
  delivered integer not null,
  failed integer not null,
  primary key (subscription_id, hour)
) with (fillfactor = 50);
comment on table webhook_hours is 'Successful and failed attempts of each subscription by the hour.';
comment on column webhook_hours.failed is 'excludes attempts that this service interrupted';
create index webhook_hours_age on webhook_hours (hour);

------------------------------------------------------------------------------------------------------------------------------------------
-- First partitions
------------------------------------------------------------------------------------------------------------------------------------------

-- The same as in functions/, which the migrator applies later: the bounds below need it.
create function first_id(prefix text, moment timestamptz) returns text language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((floor(extract(epoch from moment) * 1000)::bigint >> (5 * place)) & 31)::integer, 1),
      '' order by place desc
    ) || repeat('0', 16)
    from generate_series(0, 9) as place
$$;

-- The first partition of each table reaches to the first month that begins in a month or later, or to the first week that begins in a
-- week or later. make_partitions() adds the next ones. The default partition takes identifiers from a clock that was ahead.
do $$
declare
  month constant text := first_id('gen', date_trunc('month', (now() at time zone 'UTC') + interval '2 months') at time zone 'UTC');
  week constant text := first_id('evt', date_trunc('week', (now() at time zone 'UTC') + interval '2 weeks') at time zone 'UTC');
begin
  execute format('create table generations_first partition of generations for values from (minvalue) to (%L)
    with (fillfactor = 70)', month);
  execute format('create table generation_attempts_first partition of generation_attempts for values from (minvalue) to (%L)', month);
  execute format('create table webhook_deliveries_first partition of webhook_deliveries for values from (minvalue) to (%L)
    with (fillfactor = 50, toast_tuple_target = 128)', week);
  execute format('create table webhook_attempts_first partition of webhook_attempts for values from (minvalue) to (%L)', week);
end $$;
create table generations_default partition of generations default with (fillfactor = 70);
create table generation_attempts_default partition of generation_attempts default;
create table webhook_deliveries_default partition of webhook_deliveries default with (fillfactor = 50, toast_tuple_target = 128);
create table webhook_attempts_default partition of webhook_attempts default;

create table retired_partitions (
  name text primary key,
  of_table text not null,
  from_id text,
  until_id text not null,
  retired_at timestamptz not null,
  swept_to text not null default '',
  dropped_at timestamptz
);
comment on table retired_partitions is 'Detached partitions with expired rows; a row stays after its table was dropped.';
comment on column retired_partitions.swept_to is 'objects of results up to this generation are queued for removal';
create index retired_partitions_left on retired_partitions (name) where dropped_at is null;

------------------------------------------------------------------------------------------------------------------------------------------
-- Retention and deletion
------------------------------------------------------------------------------------------------------------------------------------------

create table team_retention (
  team_id text primary key references teams,
  media_days integer check (media_days between 1 and 3650),
  history_days integer check (history_days between 1 and 3650 and history_days >= coalesce(media_days, 0)),
  results_to text not null default '',
  searched_to text not null default '',
  search_began_at timestamptz,
  served_at timestamptz
);
comment on table team_retention is 'How long a team keeps results and generations, when that is shorter than the deployment keeps them.';
comment on column team_retention.media_days is 'null: results stay as long as their generation';
comment on column team_retention.history_days is 'null: generations stay as long as the deployment keeps them';
comment on column team_retention.results_to is 'results of generations up to this one are deleted, or listed in postponed_results';
comment on column team_retention.searched_to is
  'how far results below results_to were searched for missed ones; a clock set back can cause these';
comment on column team_retention.served_at is 'when retention last worked on this team; teams take turns';

create table postponed_results (
  generation_id text primary key,
  team_id text not null,
  tried_at timestamptz not null
);
comment on table postponed_results is 'Expired results that open work still needed; they are tried again.';
create index postponed_results_in_turn on postponed_results (team_id, tried_at);

create table postponed_deletions (
  owner_id text not null,
  row_id text not null,
  kind text not null check (kind in ('generation', 'file', 'delivery')),
  tries integer not null,
  retry_at timestamptz not null,
  primary key (owner_id, row_id)
);
comment on table postponed_deletions is 'Rows of deleted teams and people that could not be deleted yet; they are tried again.';
create index postponed_deletions_due on postponed_deletions (owner_id, retry_at);

------------------------------------------------------------------------------------------------------------------------------------------
-- Audit
------------------------------------------------------------------------------------------------------------------------------------------

create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  team_id text,
  actor_kind text not null check (actor_kind in ('person', 'key', 'service', 'system')),
  actor_id text,
  tool text,
  action text not null,
  subject_id text,
  before jsonb,
  after jsonb,
  address text,
  user_agent text,
  request_id text
);
comment on table audit_entries is 'Append-only log of administrative acts; it holds no secrets, names or e-mail addresses.';
comment on column audit_entries.team_id is 'null for acts on people, and on families for everybody';
comment on column audit_entries.tool is 'the name that a tool with the service token sends';
comment on column audit_entries.before is 'the changed settings before the act; null when there were none';
comment on column audit_entries.after is 'the changed settings after the act; null when none are left';
create index audit_entries_listed on audit_entries (at desc, id desc);
create index audit_entries_of_team on audit_entries (team_id, at desc, id desc) where team_id is not null;
create index audit_entries_of_actor on audit_entries (actor_id, at desc, id desc) where actor_id is not null;
create index audit_entries_of_subject on audit_entries (subject_id, at desc, id desc) where subject_id is not null;
-- With the action too: otherwise a page of a rare action reads all entries of the other filter.
create index audit_entries_of_action on audit_entries (action, at desc, id desc);
create index audit_entries_of_team_and_action on audit_entries (team_id, action, at desc, id desc) where team_id is not null;
create index audit_entries_of_actor_and_action on audit_entries (actor_id, action, at desc, id desc) where actor_id is not null;
create index audit_entries_of_subject_and_action on audit_entries (subject_id, action, at desc, id desc) where subject_id is not null;
create trigger audit_entries_are_final before update or delete on audit_entries for each row execute function refuse_audit_change();
create trigger audit_entries_stay before truncate on audit_entries for each statement execute function refuse_audit_change();

------------------------------------------------------------------------------------------------------------------------------------------
-- Processes and maintenance
------------------------------------------------------------------------------------------------------------------------------------------

create table processes (
  id text primary key,
  roles text[] not null,
  worker_pool_ids text[] not null default '{}',
  queues text[] not null default '{}',
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);
comment on table processes is 'Running processes of the service, by their heartbeat.';
comment on column processes.worker_pool_ids is 'the names under which the worker pools of this process lock jobs';
comment on column processes.queues is 'the work queues from which this process takes jobs';

create table buried_processes (
  id text primary key,
  answers_until timestamptz not null
);
comment on table buried_processes is 'Processes without a heartbeat, whose jobs were given to others.';
comment on column buried_processes.answers_until is 'until then the process may come back and write answers of vendors';

create table routines (
  name text primary key,
  added_at timestamptz not null,
  begun_at timestamptz,
  ended_at timestamptz,
  holder text
);
comment on table routines is 'Maintenance routines; a process claims one here before it runs it.';
comment on column routines.added_at is 'the age of a routine counts from here until it first succeeds';
comment on column routines.ended_at is 'the end of the last run that succeeded';
comment on column routines.holder is 'the process that runs it; null between runs';
insert into routines (name, added_at)
  select unnest(array['reconcile', 'prune', 'keepPartitions', 'clearPartitions', 'keepRetention', 'recountLedger']), now();

create table clock_watch (
  is_only boolean primary key default true check (is_only),
  trusted_at timestamptz not null,
  seen_at timestamptz not null,
  steady interval not null default '0'
);
comment on table clock_watch is
  'One row, made by watch_clock(): what maintenance saw of the database clock, so that a clock that jumps ahead deletes nothing.';
comment on column clock_watch.trusted_at is 'the last time that was trusted';
comment on column clock_watch.seen_at is 'the last time that was read';
comment on column clock_watch.steady is 'how long the clock has run steadily since it jumped';

create table backups (
  name text primary key,
  target text not null,
  started_at timestamptz not null,
  held_until timestamptz not null,
  finished_at timestamptz,
  objects bigint,
  bytes bigint,
  missing bigint
);
comment on table backups is 'Finished backups, and the running one, during which nothing is removed from the storage.';
comment on column backups.started_at is 'the backup holds the data of this time';
comment on column backups.held_until is 'removals go on after this time even if the backup has not finished';
comment on column backups.missing is 'objects that could not be copied: deleted during the backup, or lost before';
create unique index backups_one_under_way on backups ((finished_at is null)) where finished_at is null;

create table secret_canary (
  name text primary key,
  sealed bytea not null
);
comment on table secret_canary is 'One row sealed with SECRET_KEY, so that a start with another key is refused.';

-- The migrator creates the tables of the job queue, which belong to its package, before it applies this file.
create index jobs_due_by_task on graphile_worker._private_jobs (task_id, run_at) where is_available = true;
create index jobs_spent on graphile_worker._private_jobs (id) where key is null and attempts >= max_attempts;
