-- Adds `new_requests` to the requests of `who`, a user or a client address, in the minute `this_window`. Frees and grants concurrency slots
-- of `process`, at most `slots_max` over all processes. Returns the requests of the window, the slots granted now, the slots in use, and
-- the window that was counted. Locks: the row of request_counts.
create or replace function count_requests(
  who text, process text, this_window bigint, new_requests integer, slots_asked integer, slots_freed integer, slots_max integer
) returns table (requests_counted integer, slots_granted integer, slots_used integer, window_counted bigint) language plpgsql as $$
declare
  row record;
  own integer;
  others integer;
begin
  loop
    select window_start, requests, in_progress into row from request_counts where subject = who for update;
    exit when found;
    insert into request_counts (subject, window_start, requests) values (who, this_window, 0) on conflict do nothing;
  end loop;
  -- A process with a slower clock counts in the minute that another process has begun. Otherwise both would reset the count in turn.
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
