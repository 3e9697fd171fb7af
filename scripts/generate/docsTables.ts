import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withErrorTables } from './errorTables.ts'

const path = join(import.meta.dirname, '../../docs/api.md')
writeFileSync(path, withErrorTables(readFileSync(path, 'utf8')))
