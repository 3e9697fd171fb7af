import { limits } from '../../../src/contract/limits.ts'
import { type Inspector, type InspectorOptions, makeInspector } from '../../../src/media/inspector.ts'

/** An inspector with the limits of the contract. */
export function anInspector(options: Partial<InspectorOptions> = {}): Inspector {
  return makeInspector({ imagePixelsMax: limits.imagePixelsMax, ...options })
}
