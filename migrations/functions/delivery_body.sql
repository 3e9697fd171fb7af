-- Returns the request body of a delivery: its own bytes, or the shared body with the identifier of the delivery in place of the one at the
-- start.
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
