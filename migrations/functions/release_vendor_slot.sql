-- Releases the vendor slot of a generation and deletes its waiting submit. Queues a job that grants the slot if other submits wait.
-- The waiting submit of an uncommitted transaction may not be visible here: reserve_submit queues a job for it. The job key contains
-- the generation, because a shared job row would be locked until the end of a transaction that also waits for breakers.
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
