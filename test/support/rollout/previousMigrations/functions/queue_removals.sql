-- Queues the removal of the objects of results that were deleted, and of whatever else lies about of their generations, in their order. In
-- one call: each looks through all jobs that wait. By the key of the second job, whoever would forget the row sees that it is still needed.
create or replace function queue_removals(generations text[], storage_keys text[]) returns void language plpgsql as $$
begin
  if generations <> '{}' then
    perform graphile_worker.add_jobs(array(
      select ('removeObject', json_build_object('storageKey', key), null, null, 30000, null, null, null)::graphile_worker.job_spec
        from unnest(storage_keys) as key
    ) || array(
      select ('removeOrphans', json_build_object('generationId', id), null, null, 30000, 'orphans:' || id, null, null)::graphile_worker.job_spec
        from unnest(generations) as id
    ));
  end if;
end $$;
