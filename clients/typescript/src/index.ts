// biome-ignore-all lint/performance/noBarrelFile: the public API of the package is in one place.
// biome-ignore-all lint/performance/noReExportAll: the file has one class for each refusal, and nothing else.
export { Atelier, type HistoryOptions } from './atelier.ts'
export { AtelierError, type ConnectionCode, type ErrorCode, type ErrorKind } from './atelierError.ts'
export type { CallOptions } from './call.ts'
export type { AtelierOptions } from './connection.ts'
export { ConnectionFailed, TimedOut, UnexpectedAnswer } from './connectionErrors.ts'
export {
  ConflictError,
  ConnectionError,
  CreditsError,
  KeyError,
  NotFoundError,
  PermissionError,
  RateError,
  RequestError,
  ServiceError,
} from './errorKinds.ts'
export type { ErrorOf } from './errorOf.ts'
export { expectReady, GenerationNotReady, type ReadyGeneration } from './expectReady.ts'
export type { FileContent, FileSource } from './fileSource.ts'
export { hasCode } from './hasCode.ts'
export type * from './openapi.ts'
export type { EndedGeneration } from './pollStates.ts'
export type { DetailsOf } from './refusalDetails.ts'
export * from './refusals.ts'
export type { RunOptions } from './runGeneration.ts'
export type { StartOptions } from './startGeneration.ts'
export type { Timing } from './timing.ts'
export type { ReadyFile, UploadOptions } from './uploadFile.ts'
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent } from './verifyWebhook.ts'
export type { WaitOptions } from './waitUntilDone.ts'
export { WebhookNotVerified } from './webhookNotVerified.ts'
