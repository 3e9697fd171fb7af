// biome-ignore-all lint/performance/noBarrelFile: the public API of the package is in one place.
// biome-ignore-all lint/performance/noReExportAll: the file has one class for each refusal, and nothing else.
export { Atelier } from './atelier.ts'
export type { BatchOptions } from './client/generationsClient.ts'
export type { HistoryOptions } from './client/historyClient.ts'
export { AtelierError, type ConnectionCode, type ErrorCode, type ErrorKind } from './errors/atelierError.ts'
// The names before 1.0.0. They stay for programs that use them.
export {
  ConnectionFailedError,
  ConnectionFailedError as ConnectionFailed,
  TimedOutError,
  TimedOutError as TimedOut,
  UnexpectedAnswerError,
  UnexpectedAnswerError as UnexpectedAnswer,
} from './errors/connectionErrors.ts'
export {
  ApiKeyError,
  ApiKeyError as KeyError,
  ConflictError,
  CreditsError,
  NoAnswerError,
  NoAnswerError as ConnectionError,
  NotFoundError,
  NotPermittedError,
  NotPermittedError as PermissionError,
  RateError,
  RequestError,
  ServiceError,
} from './errors/errorKinds.ts'
export type { ErrorOf } from './errors/errorOf.ts'
export { hasCode } from './errors/hasCode.ts'
export type { DetailsOf } from './errors/refusalDetails.ts'
export * from './errors/refusals.ts'
export type { FileInput } from './files/fileInput.ts'
export type { FileContent, FileSource } from './files/fileSource.ts'
export type { ReadyFile, UploadOptions } from './files/uploadFile.ts'
export type { DownloadOptions } from './generations/download.ts'
export {
  expectReady,
  GenerationNotReadyError,
  GenerationNotReadyError as GenerationNotReady,
  type ReadyGeneration,
} from './generations/expectReady.ts'
export type { EndedGeneration } from './generations/pollStates.ts'
// A program can add to an interface only when it is exported with a star.
export type * from './generations/request.ts'
export type { RunOptions } from './generations/runGeneration.ts'
export type { StartOptions } from './generations/startGeneration.ts'
export type { WaitOptions } from './generations/waitUntilDone.ts'
export type { CallOptions } from './http/call.ts'
export type { AtelierOptions } from './http/connection.ts'
export type { ResponsePromise, WithResponse } from './http/responsePromise.ts'
export type { Timing } from './http/timing.ts'
export type * from './openapi.ts'
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent } from './webhooks/verifyWebhook.ts'
export { WebhookNotVerifiedError, WebhookNotVerifiedError as WebhookNotVerified } from './webhooks/webhookNotVerified.ts'
