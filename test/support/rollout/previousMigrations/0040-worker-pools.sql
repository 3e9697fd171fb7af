-- A process runs its jobs in several pools, each with slots of its own. `worker_pool_id` stays for processes of the release before,
-- which know of one.
alter table processes add column worker_pool_ids text[] not null default '{}';
comment on column processes.worker_pool_ids is 'the names under which this process locks jobs, one for each of its pools';
