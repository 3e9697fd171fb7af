import { join } from 'node:path'

/** Environment of a process that a test starts: it keeps its compiled modules for the next one, where the program of `bin` keeps them too. */
export const compileCache = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/atelier-compiled') }
