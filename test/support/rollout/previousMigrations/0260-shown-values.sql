-- Who was shown a key value or a signing secret: it is theirs as long as they manage the team. Null for the issuer of a key and for tools.
-- The busier table comes last.
alter table webhook_subscriptions add column secret_holder_id text;
comment on column webhook_subscriptions.secret_holder_id is 'the person who was shown the present secret; null for a tool';
alter table api_keys add column value_holder_id text, add column previous_holder_id text;
comment on column api_keys.value_holder_id is 'the person who was shown the present value by a rotation; null for the issuer and for a tool';
comment on column api_keys.previous_holder_id is 'the same for the value before, whether it still works or not';
