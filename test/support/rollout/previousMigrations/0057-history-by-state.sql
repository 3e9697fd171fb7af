-- The state first: an index that begins like that of the whole history tempts the planner to read that one and sort.
create index generations_of_state on generations (state, owner_id, id);
drop index generations_of_owner_by_state;
