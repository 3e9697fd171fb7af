-- How much of a team's files no generation has used yet, counted as it changes (functions/recount_unused_files.sql), so that a team
-- with a million of them is asked as quickly as one with none. Files that failed have no content and do not count.
alter table files add column used boolean not null default false;

create table unused_files (
  owner_id text primary key,
  files bigint not null check (files >= 0),
  bytes bigint not null check (bytes >= 0)
);

-- A start puts the end of a file's time off, which nothing else does.
update files set used = true where expires_at > created_at + interval '30 days 1 second';

insert into unused_files (owner_id, files, bytes)
  select owner_id, count(*), sum(size_bytes) from files where not used and state <> 'failed' group by owner_id;

-- A trigger needs its function; what it does stands in functions/recount_unused_files.sql.
create function recount_unused_files() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger recount_unused_removed after delete on files referencing old table as removed
  for each statement execute function recount_unused_files();
create trigger recount_unused_changed after update on files for each row
  when (not old.used and old.state <> 'failed' and (new.used or new.state = 'failed'))
  execute function recount_unused_files();
