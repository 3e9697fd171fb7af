-- Queues the removal of the objects of deleted results, and of all other objects of their generations. `storage_keys` are in the order of
-- `generations`. Called once for many, because each call reads all waiting jobs. The key of the second job shows purge_generation that the
-- row is still needed.
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
