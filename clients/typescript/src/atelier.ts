import { ManagementClient } from './client/managementClient.ts'

/**
 * A client of one Atelier service, with one key. Calls that fail for a temporary reason are repeated when this is safe. If they still
 * fail, they throw AtelierError. The classes in `client/` have its methods, a class for each topic.
 */
export class Atelier extends ManagementClient {}
