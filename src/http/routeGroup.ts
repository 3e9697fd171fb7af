import type { FastifyInstance } from 'fastify'
import type { KnownPath } from './unmatchedRoutes.ts'

/** A door beside REST: what it serves, and how it is put on the listener. */
export type RouteGroup = { paths: KnownPath[]; plugin(app: FastifyInstance): Promise<void> }
