-- Returns a digest of the owner of a generation and one of its request, joined by a colon. Repeats of a request by one owner have the same
-- digests, also with another seed. Null when the generation does not exist.
create or replace function request_digest(generation text) returns text language sql stable as $$
  select md5(owner_id) || ':' || md5(jsonb_build_array(model_id, prompt, parameters - 'seed', inputs)::text)
    from generations where id = generation
$$;
