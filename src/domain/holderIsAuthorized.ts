/** SQL: whether the value of the key `k` whose holder stands in that column may be used, as `judgeKey.ts` judges it; true without a holder. */
export function holderIsAuthorized(column: 'value_holder_id' | 'previous_holder_id'): string {
  return `(k.${column} is null or exists (
    select from memberships h where h.team_id = k.team_id and h.user_id = k.${column} and h.role <> 'member'))`
}
