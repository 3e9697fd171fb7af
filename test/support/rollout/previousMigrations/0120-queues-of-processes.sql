-- Which kinds of work a process takes. Null is a process of the release before, which takes all of it where it works at all.
alter table processes add column queues text[];
comment on column processes.queues is 'the kinds of work that this process takes; null: all of them, if it is a worker';
