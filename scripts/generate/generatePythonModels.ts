import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pythonModules } from './pythonModules.ts'

for (const [name, text] of Object.entries(pythonModules())) {
  writeFileSync(join(import.meta.dirname, '../../clients/python/atelier_client', name), text)
}
