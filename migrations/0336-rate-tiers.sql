alter table teams add column requests_per_minute integer;
alter table teams add column requests_in_progress integer;
comment on column teams.requests_per_minute is 'rate limit of its members; null for that of the deployment';
comment on column teams.requests_in_progress is 'limit of concurrent requests of its members; null for that of the deployment';
