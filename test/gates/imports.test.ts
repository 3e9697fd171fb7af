import { expect, test } from 'vitest'
import { importViolations } from '../../scripts/check/importViolations.ts'
import { readSources } from '../../scripts/check/readSources.ts'

test('no file imports a package that its room may not use, and there are no import cycles', () => {
  expect(importViolations(readSources('src'))).toEqual([])
})

test.each([
  ['src/domain/credits/hold.ts', `import Fastify from 'fastify'`, 'may not use fastify'],
  ['src/domain/credits/hold.ts', `import type { FastifyRequest } from 'fastify'`, 'may not use fastify'],
  ['src/domain/credits/hold.ts', `import pg from 'pg'`, 'may not use pg but for its types'],
  ['src/domain/credits/hold.ts', `import { graphql } from 'graphql'`, 'may not use graphql'],
  ['src/contract/limits.ts', `import { p } from '@mikro-orm/core'`, 'may not use @mikro-orm/core'],
  ['src/rest/restRoutes.ts', `import { createYoga } from 'graphql-yoga'`, 'may not use graphql-yoga'],
  ['src/http/app.ts', `import pg from 'pg'`, 'may not use pg'],
  ['src/http/app.ts', `import {\n  useState,\n} from 'react'`, 'may not use react'],
  ['src/jobs/runners/worker.ts', `const Fastify = await import('fastify')`, 'may not use fastify'],
  ['src/storage/disk.ts', `export { S3Client } from '@aws-sdk/client-s3'`, 'may not use @aws-sdk/client-s3'],
  ['src/network/exchange.ts', `import 'pino/file.js'`, 'may not use pino'],
  ['src/admin-ui/pages/keys/KeysPage.tsx', `import { graphql } from 'graphql'`, 'may not use graphql'],
  ['src/newRoom/first.ts', `import { z } from 'zod'`, 'may not use zod'],
])('%s is refused: %s', (path, text, fault) => {
  expect(importViolations(new Map([[path, text]]))).toEqual([`${path}: ${fault}`])
})

test.each([
  ['src/domain/sql.ts', `import type { Pool } from 'pg'`],
  ['src/database/pool/pool.ts', `import pg from 'pg'`],
  ['src/http/app.ts', `import { Server } from 'node:http'\nimport Fastify from 'fastify'`],
])('%s may import %s', (path, text) => {
  expect(importViolations(new Map([[path, text]]))).toEqual([])
})

test('an import cycle is refused, also one of types only', () => {
  const circle = new Map([
    ['src/domain/a.ts', `import type { B } from './files/b.ts'`],
    ['src/domain/files/b.ts', `import { c } from '../c.ts'`],
    ['src/domain/c.ts', `import type { A } from './a.ts'`],
    ['src/domain/d.ts', `import { c } from './c.ts'`],
  ])
  expect(importViolations(circle)).toEqual(['a circle: src/domain/a.ts → src/domain/files/b.ts → src/domain/c.ts → src/domain/a.ts'])
})
