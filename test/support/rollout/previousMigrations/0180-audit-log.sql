-- Who did which administrative act to what, when and from where. Entries hold identifiers and settings, never secrets, names or e-mail
-- addresses, so that nothing has to be rewritten when a person or a team is deleted. They are written in the transaction of their act.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Null for what concerns no team: people, grants to them, families for everybody.
  team_id text,
  actor_kind text not null check (actor_kind in ('person', 'key', 'service', 'system')),
  actor_id text,
  -- What a tool with the service token calls itself.
  tool text,
  action text not null,
  subject_id text,
  -- Of what was changed, as it was and as it is; null where there is nothing on that side.
  before jsonb,
  after jsonb,
  address text,
  user_agent text,
  request_id text
);
create index audit_entries_of_team on audit_entries (team_id, at desc, id desc) where team_id is not null;
create index audit_entries_of_actor on audit_entries (actor_id, at desc, id desc) where actor_id is not null;
create index audit_entries_of_subject on audit_entries (subject_id, at desc, id desc) where subject_id is not null;
create index audit_entries_listed on audit_entries (at desc, id desc);

-- Kept up in functions/, and whole here already: rows may come before the functions are applied.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'ATL02';
end $$;
create trigger audit_entries_are_final before update or delete on audit_entries for each row execute function refuse_audit_change();
create trigger audit_entries_stay before truncate on audit_entries for each statement execute function refuse_audit_change();
