-- Releases the vendor slot of a generation, or its place among the waiting submits, and queues a job that grants the slot when others wait.
-- A submit that begins to wait at this moment may not be visible: reserve_submit queues a job for it. Each generation has a job of its own:
-- a shared row would be locked until the end of a transaction that also waits for breakers.
-- Locks: waiting submit, slot.
create or replace function release_vendor_slot(generation text) returns void language plpgsql as $$
declare
  vendor text;
begin
  delete from waiting_submits where generation_id = generation;
  update vendor_slots set released_at = present() where generation_id = generation and released_at is null returning provider into vendor;
  if vendor is not null and exists (select from waiting_submits) then
    perform graphile_worker.add_job('handSlotsOn', json_build_object('providerId', vendor), job_key => 'slots:' || vendor || ':' || generation);
  end if;
end $$;
