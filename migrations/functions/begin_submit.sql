-- Writes down that the provider is about to be asked, where something may stand against it. `written`: it may be asked now;
-- `locked`: a breaker of `subjects` keeps it; `lost`: the work was taken over or ended.
-- Locks: attempt, breakers.
create or replace function begin_submit(generation text, job_fence integer, subjects text[], lease_seconds integer) returns text language plpgsql as $$
begin
  perform from generation_attempts a join generations g on g.id = a.generation_id and g.attempt = a.number
    where g.id = generation and g.fence = job_fence and g.finished_at is null for no key update of a;
  if not found then
    return 'lost';
  end if;
  if not claim_trial(subjects, generation, lease_seconds) then
    return 'locked';
  end if;
  update generation_attempts a set intent_at = coalesce(a.intent_at, present()) from generations g
    where g.id = generation and a.generation_id = g.id and a.number = g.attempt;
  return 'written';
end $$;
