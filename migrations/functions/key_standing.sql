-- One row per key: whether it works, who may act through it, and what it may spend (in hundredths; ceilings are null where there is
-- none, and `spent` is of today in UTC). A value without a holder depends on the issuer alone.
--   is_live                   neither revoked nor expired
--   issuer_may_act            the issuer may still issue such a key: a member's key works only if all it opens is MCP
--   issuer_manages_team       the issuer is owner or administrator of the key's team
--   holder_may_act            the person who was shown the present value still manages the team
--   previous_holder_may_act   the same for the value before the last rotation, which works until `previous_until`
-- It is a view in the form of a function: PostgreSQL inlines it, so that conditions on `key_id` and `team_id` use the indexes and joins of
-- unread columns are removed. As a function it is applied again when it changes, and migrations may change the columns of the tables.
create or replace function key_standing() returns table (
  key_id text, team_id text, is_live boolean, issuer_may_act boolean, issuer_manages_team boolean, holder_may_act boolean,
  previous_holder_may_act boolean, previous_until timestamptz, single_limit bigint, daily_limit bigint, spent bigint, held bigint,
  daily_left bigint
) language sql stable parallel safe as $$
  select k.id, k.team_id, key_is_live(k.revoked_at, k.expires_at),
      k.team_id is null or manages_team(issuer.role) or (issuer.role is not null and k.scopes = '{mcp}'),
      manages_team(issuer.role),
      k.value_holder_id is null or manages_team(holder.role),
      k.previous_holder_id is null or manages_team(previous.role), k.previous_until,
      k.single_limit, k.daily_limit, spent_today(k.charged_day, k.charged_on_day), k.held_open, daily_left(k)
    from api_keys k
      left join memberships issuer on issuer.team_id = k.team_id and issuer.user_id = k.user_id
      left join memberships holder on holder.team_id = k.team_id and holder.user_id = k.value_holder_id
      left join memberships previous on previous.team_id = k.team_id and previous.user_id = k.previous_holder_id
$$;
