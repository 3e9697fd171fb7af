-- Whose request a generation is, and what it asks for, as two digests around a colon: the same for repeats by one owner, also where only
-- the seed differs. Null when there is no such generation.
create or replace function request_digest(generation text) returns text language sql stable as $$
  select md5(owner_id) || ':' || md5(jsonb_build_array(model_id, prompt, parameters - 'seed', inputs)::text)
    from generations where id = generation
$$;
