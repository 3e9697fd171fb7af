/** SQL: the holder in this column of the key `k` may still act for the team, by the rule of `checkKeyAccess`. True without a holder. */
export function holderIsAuthorized(column: 'value_holder_id' | 'previous_holder_id'): string {
  return `(k.${column} is null or exists (
    select from memberships h where h.team_id = k.team_id and h.user_id = k.${column} and h.role <> 'member'))`
}
