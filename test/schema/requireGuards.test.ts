import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { expect, test } from 'vitest'
import { requireGuards } from '../../src/schema/requireGuards.ts'
import { printedSchema, schema } from '../../src/schema/schema.ts'

const guarded = { extensions: { pothosOptions: { authScopes: { service: true } } } }

function schemaWith(field: object, type: object): GraphQLSchema {
  const thing = new GraphQLObjectType({ name: 'Thing', fields: { name: { type: GraphQLString } }, ...type })
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { thing: { type: thing, ...field } } }) })
}

test('our schema says of everything who may have it', () => {
  expect(() => requireGuards(schema)).not.toThrow()
})

test('a root field or a type without scopes keeps the process from starting, and is named', () => {
  expect(() => requireGuards(schemaWith(guarded, guarded))).not.toThrow()
  expect(() => requireGuards(schemaWith({}, guarded))).toThrow('Query.thing')
  expect(() => requireGuards(schemaWith(guarded, {}))).toThrow('Thing')
})

test('the schema has the names that tools rely on', () => {
  const sdl = printedSchema()
  const lines = [
    'createTeam(input: CreateTeamInput!): Team!',
    'updateTeam(input: UpdateTeamInput!): Team!',
    'createUser(input: CreateUserInput!): User!',
    'updateUser(input: UpdateUserInput!): User!',
    'setTeamMember(input: SetTeamMemberInput!): Membership!',
    'removeTeamMember(input: RemoveTeamMemberInput!): Boolean!',
    'grantCredits(input: GrantCreditsInput!): Account!',
    'setFamilyAvailability(input: SetFamilyAvailabilityInput!): Family!',
    'issueApiKey(input: IssueApiKeyInput!): IssueApiKeyPayload!',
    'updateApiKey(input: UpdateApiKeyInput!): ApiKey!',
    'revokeApiKey(input: RevokeApiKeyInput!): ApiKey!',
    'recordEditorGeneration(input: RecordEditorGenerationInput!): Generation!',
    'viewer: Viewer!',
    'team(id: ID!): Team',
    'user(id: ID!): User',
    'enum OutputType {\n  AUDIO\n  IMAGE\n  MODEL3D\n  TEXT\n  VIDEO\n}',
    'scopes: [Scope!]!',
  ]
  for (const line of lines) expect(sdl).toContain(line)
})
