-- What the caller says of a generation, for itself alone.
alter table generations
  add column reference text,
  add column metadata jsonb not null default '{}';

-- The history of one reference, of one state or of all six: each is a stretch of it, however many rows share a reference. Rows without
-- one stay out and cost a start nothing.
create index generations_of_reference on generations (reference, state, owner_id, id) where reference is not null;
