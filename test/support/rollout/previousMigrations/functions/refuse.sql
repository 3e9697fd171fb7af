create or replace function refuse(code text, details jsonb default '{}') returns void language plpgsql as $$
begin
  raise exception '%', code using errcode = 'ATL01', detail = details::text;
end $$;
