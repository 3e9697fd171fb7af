-- Refused requests of keys. Processes add their counts every few seconds; older processes count none.
create table key_refusals (
  key_id text not null,
  day date not null,
  code text not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (key_id, day, code)
);
comment on table key_refusals is 'Refused requests of keys, by day and code.';
comment on column key_refusals.day is 'the day in UTC';
comment on column key_refusals.code is 'the code of the refusal';
create index key_refusals_by_day on key_refusals (day);
