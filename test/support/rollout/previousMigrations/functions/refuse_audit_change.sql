-- Entries of the audit log are final, with two exceptions: those whose 400 days are over go, and where somebody was and with what is
-- forgotten with them. Both are judged here, so that no statement of a process can do anything else.
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
