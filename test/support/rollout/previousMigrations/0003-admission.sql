-- Counts the requests of one subject (a user over all keys, or a client address) and gives out slots for those in progress.
-- `freed`: requests of this process that have ended since. Returns the count in this window, and how many slots were granted and are used.
create function count_requests(
  who text, process text, this_window bigint, new_requests integer, slots_asked integer, slots_freed integer, slots_max integer
) returns table (requests_counted integer, slots_granted integer, slots_used integer) language plpgsql as $$
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
  requests_counted := case when row.window_start = this_window then row.requests else 0 end + new_requests;
  own := greatest(coalesce((row.in_progress->>process)::integer, 0) - slots_freed, 0);
  select coalesce(sum(value::integer), 0) into others from jsonb_each_text(row.in_progress) where key <> process;
  slots_granted := least(slots_asked, greatest(slots_max - own - others, 0));
  slots_used := own + others + slots_granted;
  update request_counts set window_start = this_window, requests = requests_counted,
      in_progress = case when own + slots_granted = 0 then row.in_progress - process
        else row.in_progress || jsonb_build_object(process, own + slots_granted) end
    where subject = who;
  return next;
end $$;
