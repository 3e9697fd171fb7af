import pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'

/** Owns the database and everything in it, and has no other rights. The service uses only this role. */
export const serviceRole = 'atelier'
/** Creates the service's role at the start. */
export const superuserRole = 'atelier_superuser'
/** The new name of the service's old role in a cluster where that was the first superuser, whose rights cannot be revoked. */
const formerRole = 'atelier_former'

type Access = { port: number; password: string; superuserPassword: string }

/**
 * Ensures that the service's role owns the database of the cluster and is not a superuser. In clusters of releases in which it was one,
 * a new role with its name and password takes over everything that it owned, in one transaction. Throws {@link DatabaseStartError}.
 */
export async function ensureServiceRole(access: Access): Promise<void> {
  try {
    const client = await connectSuperuser(access)
    if (!client) return
    try {
      await client.query('begin')
      await createRole(client, access.password)
      await client.query('commit')
    } finally {
      await client.end()
    }
  } catch (cause) {
    throw new DatabaseStartError(`the role of the service cannot be created: ${(cause as Error).message}`, { cause })
  }
}

/** `undefined` if no superuser is needed: its password is lost, and the service's role is correct. */
async function connectSuperuser({ port, password, superuserPassword }: Access): Promise<pg.Client | undefined> {
  try {
    return await connect({ port, user: superuserRole, password: superuserPassword })
  } catch (error) {
    if (!['28P01', '28000'].includes((error as { code?: string }).code ?? '')) throw error
  }
  const former = await connect({ port, user: serviceRole, password })
  try {
    const { rows } = await former.query<Found>(
      `select rolsuper as "isSuperuser", exists (select from pg_roles where rolname = $1) as "hasSuperuser"
         from pg_roles where rolname = current_user`,
      [superuserRole],
    )
    if (!rows[0]?.isSuperuser) return undefined
    const known = former.escapeLiteral(superuserPassword)
    await former.query(`${rows[0].hasSuperuser ? 'alter' : 'create'} role ${superuserRole} superuser login password ${known}`)
  } finally {
    await former.end()
  }
  return await connect({ port, user: superuserRole, password: superuserPassword })
}

type Found = { isSuperuser: boolean; hasSuperuser: boolean }

async function connect({ port, user, password }: { port: number; user: string; password: string }): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres', connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function createRole(client: pg.Client, password: string): Promise<void> {
  const { rows } = await client.query<{ rolsuper: boolean }>('select rolsuper from pg_roles where rolname = $1', [serviceRole])
  const isSuperuser = rows[0]?.rolsuper
  if (isSuperuser === false) return
  if (isSuperuser) {
    await client.query(`alter role ${serviceRole} rename to ${formerRole}`)
    await client.query(`alter role ${formerRole} nologin password null`)
  }
  await client.query(`create role ${serviceRole} login password ${client.escapeLiteral(password)}`)
  await client.query(`alter database postgres owner to ${serviceRole}`)
  if (isSuperuser) await client.query(reassignOwnership)
}

/** REASSIGN OWNED refuses the first superuser, who also owns the catalogs. */
const reassignOwnership = `
do $$
declare
  owned record;
begin
  for owned in
    with ours as (
      select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    ), former as (
      select oid from pg_roles where rolname = '${formerRole}'
    ), parts as (
      -- What goes with something else: members of extensions, sequences of columns.
      select classid, objid from pg_depend where deptype in ('e', 'a', 'i')
    )
    select 'schema' as kind, quote_ident(nspname) as name from ours join pg_namespace using (oid, nspname)
      where nspowner = (table former)
    union all
    select 'table', c.oid::regclass::text from pg_class c join ours on ours.oid = c.relnamespace
      where c.relowner = (table former) and (c.relkind in ('r', 'p', 'v', 'm', 'f') or c.relkind = 'S' and ('pg_class'::regclass, c.oid) not in (table parts))
    union all
    select 'routine', p.oid::regprocedure::text from pg_proc p join ours on ours.oid = p.pronamespace
      where p.proowner = (table former) and ('pg_proc'::regclass, p.oid) not in (table parts)
    union all
    select 'type', t.oid::regtype::text from pg_type t join ours on ours.oid = t.typnamespace
      where t.typowner = (table former) and ('pg_type'::regclass, t.oid) not in (table parts)
        and (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and (select relkind = 'c' from pg_class where oid = t.typrelid))
  loop
    execute format('alter %s %s owner to ${serviceRole}', owned.kind, owned.name);
  end loop;
end $$`
