-- Which process asks the provider for an attempt, under which fence, and until when its answer may still come and be written. While that is
-- so, no other job may take the work for lost.
alter table generation_attempts add column asked_by text, add column asked_fence integer, add column answer_until timestamptz;
comment on column generation_attempts.answer_until is 'null for providers that recognise repeats, and once the answer is written';

-- Processes that were taken for dead. One that only could not reach the database may come back until `answers_until`.
create table buried_processes (
  id text primary key,
  answers_until timestamptz not null
);
