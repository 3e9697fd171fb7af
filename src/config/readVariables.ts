import type { Vendor } from '../providers/connector/vendor.ts'
import { ConfigError } from './configError.ts'
import { type Variable, type VariableValues, variables } from './variables.ts'
import type { VendorValues } from './vendors.ts'
import { vendorVariables } from './vendorVariables.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Test runners and bundlers set BASE_URL to this value in their child processes. It is ignored. */
const leftByBuildTools = '/'

/**
 * Parses our own variables and those of `vendors`. Empty variables count as unset, unknown ones are ignored.
 * Throws {@link ConfigError} with all invalid variables in one message.
 */
export function readVariables(env: Environment, vendors: readonly Vendor[]): { values: VariableValues; vendorValues: VendorValues } {
  const faults: string[] = []
  const values: VariableValues = readEach(variables, env, faults)
  const vendorValues: VendorValues = readEach(vendorVariables(vendors), env, faults)
  if (faults.length > 0) throw new ConfigError(faults.join('; '))
  return { values, vendorValues }
}

function readEach(described: Readonly<Record<string, Variable>>, env: Environment, faults: string[]) {
  const read = ([name, { takes, read: schema, otherwise }]: [string, Variable]) => {
    const text = env[name]?.trim() ?? ''
    if (text === '' || (name === 'BASE_URL' && text === leftByBuildTools)) return [name, otherwise]
    const parsed = schema.safeParse(text)
    if (!parsed.success) faults.push(`${name} takes ${takes}`)
    return [name, parsed.data]
  }
  return Object.fromEntries(Object.entries(described).map(read))
}
