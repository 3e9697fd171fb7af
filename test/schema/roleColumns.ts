/** Every kind of caller, a column of the role matrix. */
export const columns = [
  /** An internal tool. */
  'service',
  /** A REST key of the team that owns the objects, with only that scope. */
  'catalog:read',
  'generations:read',
  'generations:write',
  'files:write',
  'account:read',
  'keys:write',
  'webhooks:write',
  'mcp',
  /** A key of the same team with the scope `mcp`, over MCP. */
  'agent',
  /** A key of another team with every scope of REST. It gets data of its own team. */
  'otherTeam',
  /** Signed-in people: three roles of the owning team, the owner of another team, and a person without a team. The last two get their own data. */
  'owner',
  'admin',
  'member',
  'foreign',
  'alone',
  /** Jobs, which never use the schema. */
  'job',
  /** An unauthenticated caller over HTTP. */
  'stranger',
] as const

export type Column = (typeof columns)[number]

/** The callers of fields of one type. */
export function rows(type: string, who: readonly Column[], fields: string): Record<string, readonly Column[]> {
  return Object.fromEntries(fields.split(/\s+/).map((field) => [`${type}.${field}`, who]))
}

/** The callers of a connection and its edges. */
export function connection(name: string, who: readonly Column[]): Record<string, readonly Column[]> {
  return { ...rows(`${name}Connection`, who, 'edges nodes pageInfo'), ...rows(`${name}ConnectionEdge`, who, 'cursor node') }
}
