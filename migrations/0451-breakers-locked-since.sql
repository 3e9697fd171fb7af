-- When a breaker opened. Older processes do not read it; the function that they call sets it.
alter table breakers add column locked_since timestamptz;
comment on column breakers.locked_since is 'when it last opened; failed trials leave it. Meaningless while locked_until is null';
