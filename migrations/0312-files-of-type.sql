-- outside a transaction
create index concurrently files_of_type on files (owner_id, type, id desc);
