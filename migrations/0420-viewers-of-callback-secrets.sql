-- Who read the secret of the team's callbacks, so that its owners see whom to rotate it for.
alter table webhook_subscriptions add column secret_viewer_ids text[] not null default '{}';
comment on column webhook_subscriptions.secret_viewer_ids is
  'the people who read the secret of the callbacks since its last rotation; empty for other secrets, which are shown once';
