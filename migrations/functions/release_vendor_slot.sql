-- Gives back what a generation holds of its vendor, or its place in line, and has the slot handed on where others wait. Whoever begins to
-- wait at this very moment may not be seen: who waits looks again by itself. Each has a job of its own for this: one that all share would
-- be locked until the end of the transaction, and ends wait for breakers with it. Locks: place in line, slot.
create or replace function release_vendor_slot(generation text) returns void language plpgsql as $$
declare
  freed text;
begin
  delete from waiting_submits where generation_id = generation;
  update vendor_slots set released_at = present() where generation_id = generation and released_at is null returning provider into freed;
  if freed is not null and exists (select from waiting_submits) then
    perform graphile_worker.add_job('handSlotsOn', json_build_object('providerId', freed), job_key => 'slots:' || freed || ':' || generation);
  end if;
end $$;
