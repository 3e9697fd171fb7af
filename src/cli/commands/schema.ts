import { printedSchema } from '../../schema/schema.ts'

/** Prints the SDL of the internal GraphQL interface. */
export async function schema(): Promise<number> {
  process.stdout.write(`${printedSchema()}\n`)
  return 0
}
