-- The zone in which the admin UI shows times to a person. Older processes neither read nor write it; their browsers keep a choice of their own.
alter table users add column time_zone text;
comment on column users.time_zone is 'name in the IANA time zone database; null: that of the browser';
