alter table auth.sessions add column user_agent text;
alter table auth.sessions add column address text;
alter table auth.sessions add column used_at timestamptz;
comment on column auth.sessions.user_agent is 'of the browser that signed in';
comment on column auth.sessions.address is 'of the client that signed in; for IPv6 the /64';
comment on column auth.sessions.used_at is 'the last renewal, exact to a day; null before the first';
alter table users add column email_verified boolean not null default true;
comment on column users.email_verified is 'false for an account made with a link that was shown to the inviter, until a provider or a mail verifies the address';
