-- The bytes of a delivery: its own, or those that it shares, with its own identifier in place of the one that they begin with.
create or replace function delivery_body(delivery text, own bytea, shared_id text) returns bytea language plpgsql stable as $$
begin
  if shared_id is null then
    return own;
  end if;
  return (
    select convert_to('{"id":"' || delivery || '"', 'UTF8') || substring(b.body from octet_length('{"id":"' || b.id || '"') + 1)
      from webhook_bodies b where b.id = shared_id
  );
end $$;
