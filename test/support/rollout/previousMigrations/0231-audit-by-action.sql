-- outside a transaction
-- Each filter of the audit log with the action, since a rare action would be searched for in all entries of a common filter.
create index concurrently audit_entries_of_action on audit_entries (action, at desc, id desc);
create index concurrently audit_entries_of_team_and_action on audit_entries (team_id, action, at desc, id desc) where team_id is not null;
create index concurrently audit_entries_of_actor_and_action on audit_entries (actor_id, action, at desc, id desc) where actor_id is not null;
create index concurrently audit_entries_of_subject_and_action on audit_entries (subject_id, action, at desc, id desc) where subject_id is not null;
