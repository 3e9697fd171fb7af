import { isId } from '../../contract/ids.ts'
import { listUsers, lookUpUser } from '../../domain/access/directory.ts'
import { deleteUser } from '../../domain/access/people/deleteUser.ts'
import { createUser, loadUsers, updateUser } from '../../domain/access/people/users.ts'
import { accountIdOf } from '../../domain/access/spender.ts'
import { builder } from '../core/builder.ts'
import { keysetConnection } from '../core/keysetConnection.ts'
import { orderByKeys } from '../core/orderByKeys.ts'
import { allow } from '../core/scopes.ts'
import { AccountType } from '../credits/account.ts'

/** A person. The fields of their lists are defined beside the types of their entries. */
export const UserType = builder.loadableObjectRef('User', {
  load: async (ids: string[], { context }) => orderByKeys(ids, await loadUsers(context, ids), ({ id }) => id),
})

/** Colleagues see these fields; only the person sees the others. */
const colleagueFieldOptions = { skipTypeScopes: true, authScopes: ({ id }: { id: string }) => ({ colleague: id }) }

builder.objectType(UserType, {
  authScopes: ({ id }) => allow('person.read', id),
  fields: (t) => ({
    id: t.exposeID('id', colleagueFieldOptions),
    email: t.exposeString('email', colleagueFieldOptions),
    name: t.exposeString('name', colleagueFieldOptions),
    emailVerified: t.exposeBoolean('emailVerified', {
      description: 'False for an account made with a shown link of an invitation: nobody has proved that the address is theirs.',
    }),
    hasPassword: t.boolean({
      description: 'Whether the person can sign in by password.',
      resolve: ({ passwordHash }) => passwordHash !== null,
    }),
    subscriptionActive: t.exposeBoolean('subscriptionActive'),
    timeZone: t.exposeString('timeZone', {
      nullable: true,
      description: 'The IANA name of the zone in which the person sees times. Null: that of the browser.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    account: t.field({ type: AccountType, description: 'Their personal credits.', resolve: ({ id }) => ({ id: accountIdOf(id) }) }),
  }),
})

builder.queryField('users', (t) =>
  t.connection({
    type: UserType,
    description: 'All people, newest first, for internal tools.',
    args: { search: t.arg.string({ description: 'A part of the name or e-mail address, case-insensitive, or a whole identifier.' }) },
    authScopes: allow('person.list'),
    resolve: (_root, { search, ...page }, { context }) =>
      keysetConnection(page, {
        find: (window) => listUsers(context, { search }, window),
        keyOf: ({ id }) => id,
        isKey: (text) => isId('user', text),
      }),
  }),
)

builder.queryField('user', (t) =>
  t.field({
    type: UserType,
    nullable: true,
    description: 'A person by identifier, or for internal tools by e-mail address.',
    args: { id: t.arg.id(), email: t.arg.string({ description: 'Case-insensitive. Instead of `id`.' }) },
    authScopes: (_root, { id, email }) => (typeof email === 'string' ? allow('person.list') : allow('person.read', id)),
    resolve: (_root, given, { context }) => lookUpUser(context, given),
  }),
)

const CreateUserInput = builder.inputType('CreateUserInput', {
  fields: (t) => ({
    email: t.string({ required: true }),
    name: t.string({ required: true }),
    password: t.string({ description: 'Without a password they cannot sign in by password.' }),
    subscriptionActive: t.boolean({ description: 'False when omitted.' }),
  }),
})

const UpdateUserInput = builder.inputType('UpdateUserInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    name: t.string(),
    subscriptionActive: t.boolean(),
    password: t.string({ description: 'Null removes it. Every change ends all their sessions.' }),
  }),
})

const DeleteUserInput = builder.inputType('DeleteUserInput', { fields: (t) => ({ userId: t.id({ required: true }) }) })

builder.mutationFields((t) => ({
  deleteUser: t.boolean({
    description:
      'Erases their personal data, ends their sessions and revokes keys that they issued. The ledger stays. False when deleted before.',
    args: { input: t.arg({ type: DeleteUserInput, required: true }) },
    authScopes: allow('person.delete'),
    resolve: (_root, { input }, { context }) => deleteUser(context, input.userId),
  }),
  createUser: t.field({
    type: UserType,
    args: { input: t.arg({ type: CreateUserInput, required: true }) },
    authScopes: allow('person.create'),
    resolve: (_root, { input }, { context }) => createUser(context, input),
  }),
  updateUser: t.field({
    type: UserType,
    args: { input: t.arg({ type: UpdateUserInput, required: true }) },
    authScopes: allow('person.update'),
    resolve: (_root, { input }, { context }) => updateUser(context, input),
  }),
}))
