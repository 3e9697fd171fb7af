-- What tells many failures from the failures of one request, so that one team's request does not lock a family for all.
alter table breakers add column faulted text[] not null default '{}', add column failed_by text;
comment on column breakers.faulted is 'the requests that failed since it was last well, each once: digests of owner and request (request_digest)';
comment on column breakers.failed_by is 'digest of the owner of the last trial, when that failed: others come before';
