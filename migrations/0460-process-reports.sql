-- What each process says about itself, for doctor. Processes of older releases write none.
alter table processes add column report jsonb;
comment on column processes.report is 'the last report of the process about its event loop, memory, notifications and slow statements';
