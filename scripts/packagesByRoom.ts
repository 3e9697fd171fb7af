/** How far a room may use a package: wherever it likes, for its types alone, or in the files that are named. */
export type Use = 'anywhere' | 'types' | readonly string[]

/**
 * Which packages each folder of `src` may use; none but these, so that a library stays behind the room that owns it. Node's own modules
 * are free. What Node allows besides, `node/no-process-env` and its like in `.oxlintrc.json` say.
 */
export const packagesByRoom: Readonly<Record<string, Readonly<Record<string, Use>>>> = {
  cli: { fastify: 'types', pino: ['logger.ts'] },
  config: { zod: 'anywhere' },
  entities: { '@mikro-orm/core': 'anywhere' },
  storage: { '@aws-sdk/client-s3': ['s3.ts'], '@aws-sdk/lib-storage': ['s3.ts'] },
  network: { 'ipaddr.js': 'anywhere', undici: 'anywhere' },
  secrets: {},
  media: { 'file-type': ['detectFormat.ts'], sharp: ['inspection/inspectImage.ts'], mediabunny: ['inspection/inspectTimed.ts'] },
  concurrency: {},
  database: {
    pg: 'anywhere',
    kysely: ['orm.ts'],
    '@mikro-orm/core': 'types',
    '@mikro-orm/postgresql': ['orm.ts'],
    '@mikro-orm/sql': ['orm.ts'],
    'graphile-worker': ['migrate.ts'],
  },
  contract: { zod: 'anywhere', 'typeid-js': ['ids.ts'] },
  domain: {
    pg: 'types',
    '@mikro-orm/core': ['access/users.ts'],
    '@mikro-orm/postgresql': 'types',
    ajv: ['catalog/compileParameters.ts', 'catalog/parameterIssues.ts'],
    dataloader: ['sharedLookup.ts'],
    zod: ['catalog/family.ts', 'catalog/loadCatalog.ts', 'catalog/parametersSchema.ts'],
  },
  providers: {
    '@gltf-transform/core': 'anywhere',
    '@mediabunny/aac-encoder': 'anywhere',
    'h264-mp4-encoder': 'anywhere',
    mediabunny: 'anywhere',
    sharp: 'anywhere',
    'wasm-media-encoders': 'anywhere',
  },
  schema: {
    '@pothos/core': 'anywhere',
    '@pothos/plugin-dataloader': ['builder.ts'],
    '@pothos/plugin-relay': ['builder.ts'],
    '@pothos/plugin-scope-auth': ['builder.ts'],
    '@pothos/plugin-zod': 'anywhere',
    dataloader: ['account.ts', 'familyAvailability.ts', 'membership.ts', 'scopes.ts'],
    graphql: 'anywhere',
    zod: 'anywhere',
  },
  transport: { fastify: 'types' },
  rest: { fastify: 'types', zod: 'anywhere', 'zod-openapi': 'anywhere' },
  graphql: { fastify: 'types', graphql: 'anywhere', 'graphql-yoga': ['yoga.ts'], 'lru-cache': ['documentCache.ts'] },
  mcp: {},
  auth: {},
  jobs: { 'graphile-worker': 'anywhere', pg: 'types' },
  http: {
    fastify: 'anywhere',
    '@graphql-yoga/render-graphiql': ['graphiql.ts'],
    '@scalar/fastify-api-reference': ['referenceViewer.ts'],
    'prom-client': ['metrics.ts'],
  },
}
