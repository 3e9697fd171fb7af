-- outside a transaction
create index concurrently files_unused on files (owner_id, id desc) where not used and state <> 'failed';
