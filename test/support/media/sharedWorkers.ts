import type { Inspector } from '../../../src/media/inspector.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { makeSandboxProvider } from '../../../src/providers/sandbox/sandboxProvider.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'
import { anInspector } from './inspector.ts'

let inspector: Inspector | undefined
let sandbox: Provider | undefined
const close = async () => undefined

/** One inspector for all test files of this process: its workers take a second to start, and keep nothing from one file for the next. */
export function sharedInspector(): Inspector {
  inspector ??= anInspector()
  return { ...inspector, close }
}

/** One sandbox for all test files of this process, as {@link sharedInspector}. */
export function sharedSandbox(): Provider {
  sandbox ??= makeSandboxProvider({ folder: memoryFolder(), processes: 1 })
  return { ...sandbox, close }
}
