-- Counts as before; the minute is the database's to settle, since the clocks of processes differ a little.
drop function count_requests(text, text, bigint, integer, integer, integer, integer);
create function count_requests(
  who text, process text, this_window bigint, new_requests integer, slots_asked integer, slots_freed integer, slots_max integer
) returns table (requests_counted integer, slots_granted integer, slots_used integer, window_counted bigint) language plpgsql as $$
declare
  row request_counts;
  own integer;
  others integer;
begin
  loop
    select * into row from request_counts where subject = who for update;
    exit when found;
    insert into request_counts (subject, window_start, requests) values (who, this_window, 0) on conflict do nothing;
  end loop;
  -- A process that is late joins the minute that has begun elsewhere, or each of the two would start the count anew.
  window_counted := case when row.window_start = this_window + 1 then row.window_start else this_window end;
  requests_counted := case when row.window_start = window_counted then row.requests else 0 end + new_requests;
  own := greatest(coalesce((row.in_progress->>process)::integer, 0) - slots_freed, 0);
  select coalesce(sum(value::integer), 0) into others from jsonb_each_text(row.in_progress) where key <> process;
  slots_granted := least(slots_asked, greatest(slots_max - own - others, 0));
  slots_used := own + others + slots_granted;
  update request_counts set window_start = window_counted, requests = requests_counted,
      in_progress = case when own + slots_granted = 0 then row.in_progress - process
        else row.in_progress || jsonb_build_object(process, own + slots_granted) end
    where subject = who;
  return next;
end $$;

-- Says how many slots a process really holds, for each of `holders`, and that it holds no others: after a statement whose fate is
-- unknown, what it granted or freed may stand in the counts or not. Locks in the order of the counting.
create function state_slots(process text, holders text[], slots integer[]) returns void language plpgsql as $$
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
