import { type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { APIError } from 'better-auth/api'
import { isInvited } from '../domain/access/invitations/invitations.ts'
import { createUser } from '../domain/access/people/users.ts'
import { mayRegister, type Registration } from '../domain/access/sessions/mayRegister.ts'
import { openSession } from '../domain/access/sessions/openSession.ts'
import {
  addPendingSignIn,
  consumePendingSignIn,
  findIdentity,
  findPerson,
  type Identity,
  saveIdentity,
} from '../domain/access/sessions/signInRecords.ts'
import { type Context, contextFor, type Services } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import { signInGroups } from './groupsClaim.ts'
import { signInOrigin } from './signInOrigin.ts'

type Row = Record<string, unknown>
type Values = Record<string, string>

/** The operations that better-auth needs on one of its tables. The library has no other access to the database. */
type Model = {
  create?(row: Row): Promise<Row>
  /** Finds a row by the values of fields. */
  find?(by: Values): Promise<Row | undefined>
  remove?(by: Values): Promise<void>
}

/**
 * Maps the tables of better-auth to ours, one statement for each operation that our sign-in methods use. Its users are our people, its
 * accounts are identities at the issuer, and its tokens are stored as hashes.
 */
export function authStore(services: Services, registration: Registration) {
  return createAdapterFactory({
    config: { adapterId: 'atelier', supportsJSON: true },
    adapter: () => adapterOf(modelsOf(services, registration)),
  })
}

function modelsOf(services: Services, registration: Registration): Record<string, Model> {
  const { issuer } = registration
  const context = () => contextFor(services, { kind: 'system' }, signInOrigin.getStore())
  return {
    user: {
      find: async ({ email, id = '' }) => asUser(await findPerson(context(), email === undefined ? { id } : { email })),
      create: (row) => makeUser(context(), row, registration),
    },
    account: {
      find: async ({ accountId }) => (accountId === undefined ? undefined : asAccount(await findIdentity(context(), issuer, accountId))),
      create: async (row) => {
        const identity = { issuer, subject: String(row['accountId']), userId: String(row['userId']) }
        await saveIdentity(context(), identity)
        return asAccount(identity) ?? {}
      },
    },
    session: { create: (row) => makeSession(context(), row) },
    verification: {
      create: async (row) => {
        await addPendingSignIn(context(), { state: String(row['identifier']), value: String(row['value']) })
        return row
      },
      find: async ({ identifier = '' }) => {
        const pending = await consumePendingSignIn(context(), identifier)
        return pending && { ...pending, id: pending.state, identifier: pending.state, updatedAt: pending.createdAt }
      },
      // `find` has removed it.
      remove: async () => undefined,
    },
  }
}

/** Every stored address was entered by an operator or verified by a provider. */
function asUser(person: Awaited<ReturnType<typeof findPerson>>): Row | undefined {
  return person && { ...person, emailVerified: true, image: null, updatedAt: person.createdAt }
}

async function makeUser(context: Context, row: Row, registration: Registration): Promise<Row> {
  if (row['emailVerified'] !== true) throw new APIError('FORBIDDEN', { code: 'email_not_verified', message: 'not verified' })
  const email = String(row['email'])
  if (!mayRegister(registration, email) && !(await isInvited(context, email)))
    throw new APIError('FORBIDDEN', { code: 'registration_closed', message: 'no account' })
  try {
    return asUser(await createUser(context, { email, name: String(row['name']) })) ?? {}
  } catch (error) {
    // A concurrent sign-in may have created the account. The verified address identifies the person.
    const made = asUser(await findPerson(context, { email }))
    if (!made) throw error
    return made
  }
}

function asAccount(identity: Identity | undefined): Row | undefined {
  if (!identity) return undefined
  const { subject, userId } = identity
  return { id: subject, providerId: 'oidc', accountId: subject, userId, createdAt: new Date(0), updatedAt: new Date(0) }
}

async function makeSession(context: Context, row: Row): Promise<Row> {
  const token = String(row['token'])
  const passwordHash = typeof row['passwordHash'] === 'string' ? row['passwordHash'] : undefined
  const claimed = signInGroups.getStore()?.claimed
  const groups = typeof claimed === 'string' ? undefined : claimed
  const session = await openSession(context, { userId: String(row['userId']), token, passwordHash, groups })
  if (!session) throw new APIError('UNAUTHORIZED', { code: 'password_changed', message: 'the password has changed' })
  return { ...session, token, updatedAt: session.createdAt }
}

function adapterOf(models: Record<string, Model>): CustomAdapter {
  const operationOf = <Name extends keyof Model>(model: string, what: Name): NonNullable<Model[Name]> => {
    const does = models[model]?.[what]
    invariant(does, `better-auth calls ${what} of ${model}, which no sign-in method needs`)
    return does
  }
  const find = async (model: string, where: Parameters<CustomAdapter['findOne']>[0]['where'] = []) => {
    invariant(
      where.every(({ operator, connector }) => operator === 'eq' && connector === 'AND'),
      'better-auth finds rows by equal values',
    )
    return await operationOf(model, 'find')(Object.fromEntries(where.map(({ field, value }) => [field, String(value)])))
  }
  const unused = (what: string) => () => Promise.reject(new Error(`invariant: better-auth calls ${what}, which no sign-in method needs`))
  return {
    create: async ({ model, data }) => (await operationOf(model, 'create')(data)) as typeof data,
    findOne: async <Found>({ model, where }: Parameters<CustomAdapter['findOne']>[0]) =>
      ((await find(model, where)) ?? null) as Found | null,
    findMany: async <Found>({ model, where }: Parameters<CustomAdapter['findMany']>[0]) => {
      const found = await find(model, where)
      return (found ? [found] : []) as Found[]
    },
    delete: ({ model }) => operationOf(model, 'remove')({}),
    deleteMany: async ({ model }) => {
      await operationOf(model, 'remove')({})
      return 0
    },
    update: unused('update'),
    updateMany: unused('updateMany'),
    count: unused('count'),
  }
}
