import type { FastifyInstance } from 'fastify'
import type { KnownPath } from './unmatchedRoutes.ts'

/** A group of routes outside REST: its paths, and the Fastify plugin that adds them. */
export type RouteGroup = { paths: KnownPath[]; plugin(app: FastifyInstance): Promise<void> }
