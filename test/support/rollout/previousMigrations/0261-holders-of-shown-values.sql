-- outside a transaction
create index concurrently api_keys_of_value_holder on api_keys (value_holder_id, team_id, id) where value_holder_id is not null;
create index concurrently api_keys_of_previous_holder on api_keys (previous_holder_id, team_id, id) where previous_holder_id is not null;

-- Rotations before this release, by the audit log. Only people who manage the team at this moment become holders, so that no value that
-- works now stops with the upgrade.
do $$
declare
  shown record;
begin
  for shown in
    select k.id, k.hash, max(m.user_id) filter (where r.place = 1) as holder,
        max(m.user_id) filter (where r.place = 2 and k.previous_until > now()) as previous_holder
      from (
        select subject_id, actor_kind, actor_id, row_number() over (partition by subject_id order by at desc, id desc) as place
          from audit_entries where action = 'key.rotated'
      ) r
        join api_keys k on k.id = r.subject_id and k.revoked_at is null
        join memberships m on r.actor_kind = 'person' and m.team_id = k.team_id and m.user_id = r.actor_id and m.role <> 'member'
      where r.place <= 2 and r.actor_id <> k.user_id
      group by k.id
  loop
    update api_keys set value_holder_id = shown.holder, previous_holder_id = shown.previous_holder where id = shown.id and hash = shown.hash;
    commit;
  end loop;
end $$;

do $$
declare
  shown record;
begin
  for shown in
    select s.id, s.secret, e.actor_id as holder
      from webhook_subscriptions s
        cross join lateral (
          select actor_kind, actor_id from audit_entries
            where subject_id = s.id and action in ('webhook.created', 'webhook.secret_rotated') order by at desc, id desc limit 1
        ) e
      where s.secret_holder_id is null and s.secret is not null and e.actor_kind = 'person'
  loop
    update webhook_subscriptions set secret_holder_id = shown.holder where id = shown.id and secret = shown.secret;
    commit;
  end loop;
end $$;
