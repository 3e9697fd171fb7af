import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import type { Vendor } from '../providers/connector/vendor.ts'
import { ConfigError } from './configError.ts'
import { type Variable, type VariableValues, variables } from './variables.ts'
import type { VendorValues } from './vendors.ts'
import { vendorVariables } from './vendorVariables.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Test runners and bundlers set BASE_URL to this value in their child processes. It is ignored. */
const leftByBuildTools = '/'

/**
 * Parses our own variables and those of `vendors`. Empty variables count as unset, unknown ones are ignored. The value of a secret may be
 * in the file that `<name>_FILE` names, as orchestrators mount them.
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
  const read = ([name, { takes, read: schema, otherwise, secret }]: [string, Variable]) => {
    const text = (secret === true && fileOf(env, name) ? textInFile(env, name, faults) : env[name])?.trim() ?? ''
    if (text === '' || (name === 'BASE_URL' && text === leftByBuildTools)) return [name, otherwise]
    const parsed = schema.safeParse(text)
    if (!parsed.success) faults.push(`${name} ${explanationIn(parsed.error.issues) ?? `takes ${takes}`}`)
    return [name, parsed.data]
  }
  return Object.fromEntries(Object.entries(described).map(read))
}

/** The message of a schema that explains the fault itself, in place of `takes …`. */
function explanationIn(issues: readonly z.core.$ZodIssue[]): string | undefined {
  const explained = issues.find((issue) => issue.code === 'custom' && issue.params?.['isExplained'] === true)
  return explained?.message
}

function fileOf(env: Environment, name: string): string {
  return env[`${name}_FILE`]?.trim() ?? ''
}

function textInFile(env: Environment, name: string, faults: string[]): string {
  if (env[name]?.trim()) {
    faults.push(`${name} and ${name}_FILE cannot both be set`)
    return ''
  }
  try {
    return readFileSync(fileOf(env, name), 'utf8')
  } catch (error) {
    faults.push(`${name}_FILE takes a file that can be read (${(error as NodeJS.ErrnoException).code})`)
    return ''
  }
}
