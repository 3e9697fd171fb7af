-- Trigger: entries of the audit log do not change, with two exceptions: an entry may be deleted after 400 days, and its address and user
-- agent may be removed. The check is here, so that no statement of a process can make other changes.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < present() - interval '400 days' then
    return old;
  end if;
  if tg_op = 'UPDATE' and new.address is null and new.user_agent is null
      and to_jsonb(new) - '{address,user_agent}'::text[] = to_jsonb(old) - '{address,user_agent}'::text[] then
    return new;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'ATL02';
end $$;
