-- Deleted people and teams keep their row, for the ledger and for what others have made, and nothing else that is theirs. What is much is
-- forgotten bit by bit afterwards: `forgotten_to` is the last generation that was, `forgotten_at` says that nothing is left.
alter table users add column deleted_at timestamptz, add column forgotten_to text, add column forgotten_at timestamptz;
alter table teams add column deleted_at timestamptz, add column forgotten_to text, add column forgotten_at timestamptz;
create index users_to_forget on users (id) where deleted_at is not null and forgotten_at is null;
create index teams_to_forget on teams (id) where deleted_at is not null and forgotten_at is null;
