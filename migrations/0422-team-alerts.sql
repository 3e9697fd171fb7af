-- Alerts that the admin UI lists, whether or not a receiver is subscribed. Older processes record none.
create table team_alerts (
  id bigint generated always as identity primary key,
  team_id text not null references teams on delete cascade,
  kind text not null,
  subject_id text not null,
  threshold text not null,
  day date not null,
  ends_at timestamptz,
  raised_at timestamptz not null,
  constraint team_alerts_once unique (team_id, kind, subject_id, threshold, day)
);
comment on table team_alerts is 'Conditions of teams that the admin UI lists as alerts, once per subject, threshold and day.';
comment on column team_alerts.subject_id is 'the key or webhook, otherwise the team';
comment on column team_alerts.threshold is 'as in alerts: the hundredths of a credit, the kind of ceiling and the percentage, or the days';
comment on column team_alerts.day is 'the day in UTC';
comment on column team_alerts.ends_at is 'the end about which key.expiring and plan.expiring alerted; null for other kinds';
create index team_alerts_newest on team_alerts (team_id, id desc);
create index team_alerts_by_day on team_alerts (day);
