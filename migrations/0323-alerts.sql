create table alerts (
  subscription_id text not null references webhook_subscriptions on delete cascade,
  kind text not null,
  subject_id text not null,
  threshold text not null,
  day date not null,
  ends_at timestamptz,
  primary key (subscription_id, kind, subject_id, threshold, day)
);
comment on table alerts is 'Alerts that were recorded, so that each is sent once per subject, threshold and day.';
comment on column alerts.day is 'the day in UTC';
comment on column alerts.ends_at is 'the end about which key.expiring and plan.expiring alerted; null for other kinds';
create index alerts_by_day on alerts (day);
-- So that the age of the routine counts from here.
insert into routines (name, added_at) values ('raiseAlerts', now()) on conflict (name) do nothing;
