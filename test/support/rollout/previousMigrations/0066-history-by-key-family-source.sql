-- The history of one key, family or source, of one state or of all six: each is a stretch of it, as that of a reference is. What came by
-- REST is nearly all there is, and is found among the rest.
create index generations_of_key on generations (key_id, state, owner_id, id) where key_id is not null;
create index generations_of_family on generations (family_id, state, owner_id, id);
create index generations_of_source on generations (source, state, owner_id, id) where source <> 'rest';
