import { getAccount } from './account/getAccount.ts'
import { getUsage } from './account/getUsage.ts'
import { getDescription } from './description/getDescription.ts'
import type { Endpoint } from './endpoint.ts'
import { getFamily } from './families/getFamily.ts'
import { listFamilies } from './families/listFamilies.ts'
import { deleteFile } from './files/deleteFile.ts'
import { getFile } from './files/getFile.ts'
import { listFiles } from './files/listFiles.ts'
import { uploadFile } from './files/uploadFile.ts'
import { cancelGeneration } from './generations/cancelGeneration.ts'
import { deleteResult } from './generations/deleteResult.ts'
import { estimateGeneration } from './generations/estimateGeneration.ts'
import { followGeneration } from './generations/followGeneration.ts'
import { getGeneration } from './generations/getGeneration.ts'
import { listGenerations } from './generations/listGenerations.ts'
import { startBatch } from './generations/startBatch.ts'
import { startGeneration } from './generations/startGeneration.ts'
import { getKey } from './keys/getKey.ts'
import { issueKey } from './keys/issueKey.ts'
import { listKeys } from './keys/listKeys.ts'
import { revokeKey } from './keys/revokeKey.ts'
import { rotateKey } from './keys/rotateKey.ts'
import { updateKey } from './keys/updateKey.ts'
import { createWebhook } from './webhooks/createWebhook.ts'
import { deleteWebhook } from './webhooks/deleteWebhook.ts'
import { getCallbackSecret } from './webhooks/getCallbackSecret.ts'
import { getDelivery } from './webhooks/getDelivery.ts'
import { getWebhook } from './webhooks/getWebhook.ts'
import { listDeliveries } from './webhooks/listDeliveries.ts'
import { listTeamDeliveries } from './webhooks/listTeamDeliveries.ts'
import { listWebhooks } from './webhooks/listWebhooks.ts'
import { redeliver } from './webhooks/redeliver.ts'
import { rotateCallbackSecret } from './webhooks/rotateCallbackSecret.ts'
import { rotateWebhookSecret } from './webhooks/rotateWebhookSecret.ts'
import { sendTestEvent } from './webhooks/sendTestEvent.ts'
import { updateWebhook } from './webhooks/updateWebhook.ts'

/** Every endpoint of the public interface, in the order of the OpenAPI document. */
export function endpoints(describe: () => unknown): Endpoint[] {
  return [
    listFamilies,
    getFamily,
    uploadFile,
    listFiles,
    getFile,
    deleteFile,
    estimateGeneration,
    startGeneration,
    startBatch,
    getGeneration,
    followGeneration,
    listGenerations,
    cancelGeneration,
    deleteResult,
    getAccount,
    getUsage,
    listKeys,
    issueKey,
    getKey,
    updateKey,
    revokeKey,
    rotateKey,
    listWebhooks,
    createWebhook,
    getWebhook,
    updateWebhook,
    deleteWebhook,
    rotateWebhookSecret,
    sendTestEvent,
    listDeliveries,
    listTeamDeliveries,
    getDelivery,
    redeliver,
    getCallbackSecret,
    rotateCallbackSecret,
    getDescription(describe),
  ]
}
