create table auth.invitations (
  id text primary key,
  team_id text not null references teams on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  digest bytea not null unique,
  mailed boolean not null,
  invited_by text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table auth.invitations is 'Invitations to a team that are open. A used, revoked or replaced one has no row.';
comment on column auth.invitations.digest is 'SHA-256 of the secret in the link; the secret is not stored';
comment on column auth.invitations.mailed is 'the link was sent to the address and shown to nobody, so its holder controls the address';
comment on column auth.invitations.invited_by is 'the person or the named service token; null for SERVICE_TOKEN';
create unique index invitations_address on auth.invitations (team_id, lower(email));
create index invitations_team on auth.invitations (team_id, id);
create index invitations_expiry on auth.invitations (expires_at);
