-- outside a transaction
create index concurrently waiting_submits_of_owner on waiting_submits (provider, family_id, owner_id, since, generation_id);
create index concurrently vendor_slots_of_owner on vendor_slots (provider, owner_id, taken_at);
