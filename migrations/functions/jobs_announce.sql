-- Notifies the runners of all processes of new jobs, unless the transaction has set atelier.job_notices to deferred: a commit with a notice
-- waits in turn for a lock of the whole server, so the caller then sends one for several commits, see `sendJobNotice`. Runners find a job
-- without a notice within seconds.
create or replace function jobs_announce() returns void language plpgsql as $$
begin
  if current_setting('atelier.job_notices', true) is distinct from 'deferred' then
    perform pg_notify('jobs:insert', '');
  end if;
end $$;
