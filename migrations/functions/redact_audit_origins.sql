-- Deletes addresses and user agents in the next `rows_max` entries of the audit log before (`before_at`, `before_id`), the newest first:
-- entries of `actor`, or, when that is null, refused sign-ins as `subject`. Returns the last entry that was read, and how many were read.
-- The settings force an index: while the statistics do not show that an actor has many entries, PostgreSQL would sort all of them for each
-- page. Locks: the entries.
create or replace function redact_audit_origins(actor text, subject text, before_at timestamptz, before_id bigint, rows_max integer)
returns table (last_at text, last_id text, entries integer)
language plpgsql set enable_bitmapscan = off set enable_seqscan = off as $$
declare
  ids bigint[];
begin
  if actor is null then
    ids := array(select a.id from audit_entries a
      where a.subject_id = subject and a.action = 'user.sign_in_refused' and (a.at, a.id) < (before_at, before_id)
      order by a.at desc, a.id desc limit rows_max);
  else
    ids := array(select a.id from audit_entries a
      where a.actor_id = actor and (a.at, a.id) < (before_at, before_id) order by a.at desc, a.id desc limit rows_max);
  end if;
  update audit_entries a set address = null, user_agent = null
    where a.id = any (ids) and (a.address is not null or a.user_agent is not null);
  return query select a.at::text, a.id::text, cardinality(ids) from audit_entries a where a.id = ids[cardinality(ids)];
end $$;
