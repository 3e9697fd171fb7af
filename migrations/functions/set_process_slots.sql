-- Sets the concurrency slots that `process` holds: `slots` for each of `holders`, and none for others. Called after a statement with an
-- unknown result: the slots that it granted or freed may be counted or not. Locks: rows of request_counts in the order of subject.
create or replace function set_process_slots(process text, holders text[], slots integer[]) returns void language plpgsql as $$
begin
  insert into request_counts (subject, window_start, requests)
    select subject, 0, 0 from unnest(holders) as subject order by subject on conflict do nothing;
  perform from request_counts where in_progress ? process or subject = any (holders) order by subject for update;
  update request_counts c
    set in_progress = c.in_progress - process || case when held.count > 0 then jsonb_build_object(process, held.count) else '{}' end
    from (
      select r.subject, max(h.count) as count
        from request_counts r left join unnest(holders, slots) as h (subject, count) using (subject)
        where r.in_progress ? process or r.subject = any (holders) group by r.subject
    ) as held
    where c.subject = held.subject and (c.in_progress->>process)::integer is distinct from nullif(held.count, 0);
end $$;
