-- Rolls the transaction back with a refusal: its code, and details for the answer. The caller reads SQLSTATE ATL01.
create or replace function refuse(code text, details jsonb default '{}') returns void language plpgsql as $$
begin
  raise exception '%', code using errcode = 'ATL01', detail = details::text;
end $$;
