-- Trial restores of backups.
alter table backups add column proved_at timestamptz;
comment on column backups.proved_at is 'when a trial restore of this backup last succeeded and its books balanced; null if there was none';
