import type { Tool } from './tool.ts'
import { cancelGeneration } from './tools/cancelGeneration.ts'
import { estimateGeneration } from './tools/estimateGeneration.ts'
import { getAccount } from './tools/getAccount.ts'
import { getFamily } from './tools/getFamily.ts'
import { getGeneration } from './tools/getGeneration.ts'
import { listGenerations } from './tools/listGenerations.ts'
import { searchFamilies } from './tools/searchFamilies.ts'
import { startGeneration } from './tools/startGeneration.ts'
import { uploadFile } from './tools/uploadFile.ts'
import { waitGeneration } from './tools/waitGeneration.ts'

/** Every tool, in the order of usual use. Contract: docs/contract.md#tools. */
export const tools: readonly Tool[] = [
  searchFamilies,
  getFamily,
  uploadFile,
  estimateGeneration,
  startGeneration,
  getGeneration,
  waitGeneration,
  cancelGeneration,
  listGenerations,
  getAccount,
]
