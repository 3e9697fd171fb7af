-- An attempt is written down when its generation is taken over; `intent_at` only right before the provider is asked, and it goes again
-- when the provider certainly has not taken the work. Null: nobody out there knows of it.
alter table generation_attempts alter column intent_at drop not null;
comment on column generation_attempts.intent_at is 'written before the provider is asked; without a handle it is unknown whether it has the work';

-- How often the present step was tried again; `jobs_begun` counts the jobs that never came to an end.
alter table generation_attempts add column tries integer not null default 0;

-- Every job that keeps a result stores it under a fence of its own, above this one.
alter table generation_attempts add column gathered_fence integer;
comment on column generation_attempts.gathered_fence is 'the fence under which the outputs were written down';

-- What the provider says of work that goes on.
alter table generations add column progress double precision check (progress between 0 and 1);
alter table generations add column queue_position integer check (queue_position >= 1);
