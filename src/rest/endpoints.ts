import { getAccount } from './account/getAccount.ts'
import { getUsage } from './account/getUsage.ts'
import { getDescription } from './description/getDescription.ts'
import type { Endpoint } from './endpoint.ts'
import { getFamily } from './families/getFamily.ts'
import { listFamilies } from './families/listFamilies.ts'
import { deleteFile } from './files/deleteFile.ts'
import { getFile } from './files/getFile.ts'
import { uploadFile } from './files/uploadFile.ts'
import { cancelGeneration } from './generations/cancelGeneration.ts'
import { deleteResult } from './generations/deleteResult.ts'
import { estimateGeneration } from './generations/estimateGeneration.ts'
import { followGeneration } from './generations/followGeneration.ts'
import { getGeneration } from './generations/getGeneration.ts'
import { listGenerations } from './generations/listGenerations.ts'
import { startGeneration } from './generations/startGeneration.ts'

/** Every endpoint of the public interface, in the order of the OpenAPI document. */
export function endpoints(describe: () => unknown): Endpoint[] {
  return [
    listFamilies,
    getFamily,
    uploadFile,
    getFile,
    deleteFile,
    estimateGeneration,
    startGeneration,
    getGeneration,
    followGeneration,
    listGenerations,
    cancelGeneration,
    deleteResult,
    getAccount,
    getUsage,
    getDescription(describe),
  ]
}
