import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkManifests } from './clientManifests.ts'
import { pythonModules } from './pythonModules.ts'

checkManifests(join(import.meta.dirname, '../..'))

for (const [name, text] of Object.entries(pythonModules())) {
  writeFileSync(join(import.meta.dirname, '../../clients/python/atelier_client', name), text)
}
