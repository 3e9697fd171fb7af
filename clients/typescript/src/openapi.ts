/* oxlint-disable max-lines */
// biome-ignore-all format: written by a program, `npm run generate:client`, from the OpenAPI document of the service.

/** The task of a model. */
export type Task = 'text-to-image' | 'image-to-image' | 'inpaint' | 'upscale-image' | 'remove-background' | 'text-to-video' | 'image-to-video' | 'video-to-video' | 'upscale-video' | 'lip-sync' | 'text-to-speech' | 'text-to-audio' | 'text-to-music' | 'audio-to-audio' | 'text-to-3d' | 'image-to-3d' | 'retexture-3d'

/** The media type that a family generates. */
export type OutputType = 'image' | 'video' | 'audio' | 'model3d'

/** A form with the file. */
export type FileForm = {
  /** The content. */
  file: string
  /** The declared content type. A file with other content is refused. */
  mimeType?: string
}

/** A file as a link or in base64: exactly one of `url` and `base64`. */
export type FileRequest = {
  /** The link to download the file from: a public http or https address. */
  url?: string
  /** The content in base64 with padding, optionally with a `data:` prefix. */
  base64?: string
  /** The declared content type. A file with other content is refused. */
  mimeType?: string
}

/** The request of a generation. Only familyId is required. */
export type GenerationRequest = {
  /** The family of the catalog. */
  familyId: string
  /** The prompt. Models have stricter limits. */
  prompt?: string
  /** Choices on the axes of the family, for example its `version`. An omitted axis has its default. */
  axes?: Record<string, string>
  /** The variant; not together with `axes`. */
  modelId?: string
  /** Parameters that match the JSON Schema of the family, without media. */
  parameters?: Record<string, unknown>
  /** Images: identifiers of uploaded files or ready generations, in order. */
  imageIds?: string[]
  /** A single video. */
  videoId?: string
  /** Videos: identifiers of uploaded files or ready generations, in order. */
  videoIds?: string[]
  /** Audio: identifiers of uploaded files or ready generations, in order. */
  audioIds?: string[]
  /** 3D models: identifiers of uploaded files or ready generations, in order. */
  model3dIds?: string[]
  /** Refuse the request when its price is above this many credits. */
  maxCredits?: number
  /** Your own reference, to find the generation. The service does not interpret it. */
  reference?: string
  /** Your own strings by name. The service stores and returns them, and does not interpret them. */
  metadata?: Record<string, string>
  webhook?: GenerationCallback
}

/** Sends the end of this generation to an address, like a webhook. */
export type GenerationCallback = {
  /** A public https address that receives the event. */
  url: string
  /** The ends to send, each once. Omitted: all. */
  events?: WebhookEventName[]
}

export type WebhookEventName = 'generation.completed' | 'generation.failed' | 'generation.cancelled'

export type HistoryStatus = 'active' | 'ready' | 'failed' | 'cancelled'

/** Up to 50 starts. */
export type BatchRequest = {
  /** The bodies of the starts, in order. */
  items: GenerationRequest[]
  /** The most credits that the started items may cost together. Items beyond it are refused, in order. */
  maxCredits?: number
}

export type CancelRequest = Record<string, never>

export type NewKey = {
  name: string
  /** Ceiling of a calendar day in UTC. Null or absent: none. */
  dailyLimitCredits?: number | null
  /** Ceiling of a calendar month in UTC. Null or absent: none. */
  monthlyLimitCredits?: number | null
  /** Ceiling of one generation. Null or absent: none. */
  singleLimitCredits?: number | null
  /** Agents ask a person before they start a generation that costs more. Null or absent: never. */
  confirmAboveCredits?: number | null
  scopes: Scope[]
  /** When the key expires. Null or absent: never. */
  expiresAt?: string | null
}

/** A permission of a key; `mcp` permits no endpoint of this interface. */
export type Scope = 'catalog:read' | 'generations:read' | 'generations:write' | 'files:write' | 'account:read' | 'mcp' | 'keys:write' | 'webhooks:write'

export type KeyChange = {
  name?: string | null
  /** Null removes the ceiling. */
  dailyLimitCredits?: number | null
  /** Null removes the ceiling. */
  monthlyLimitCredits?: number | null
  /** Null removes the ceiling. */
  singleLimitCredits?: number | null
  /** Null removes the question. */
  confirmAboveCredits?: number | null
  /** Null removes the end. An expired key works again with a later one. */
  expiresAt?: string | null
}

export type KeyRotation = {
  /** For how many hours the present value stays valid; at most 168. 0 invalidates it at once. */
  overlapHours?: number | null
}

export type NewWebhookSubscription = {
  /** A public https address. */
  address: string
  events: WebhookEventName[]
}

export type WebhookSubscriptionChange = {
  paused?: boolean | null
  events?: WebhookEventName[] | null
}

export type WebhookSecretRotation = {
  /** For how many hours the present secret stays valid; at most 24. 0 invalidates it at once. */
  overlapHours?: number | null
}

/** `pending` has no attempt yet, `retrying` gets another attempt, `delivered` and `failed` are closed. */
export type DeliveryState = 'pending' | 'retrying' | 'delivered' | 'failed'

/** What it belongs to: a webhook, the callback of a start, or a subscription to alerts. */
export type DeliveryKind = 'webhook' | 'callback' | 'alert'

export type WebhookBody = {
  /** The same in all attempts of one event; ignore an `id` that you have processed. */
  id: string
  event: WebhookEventName
  /** When the event happened, not when it was sent. */
  createdAt: Moment
  data: WebhookData
}

/** ISO 8601 in UTC with milliseconds. */
export type Moment = string

export type WebhookData = {
  generation: Generation
}

/** A generation; every interface uses this shape. */
export type Generation = {
  generationId: string
  state: GenerationState
  familyId: string
  modelId: string | null
  /** Present when another variant ran because the requested one had no capacity; the price is the same. */
  fallback?: GenerationFallback
  task: string | null
  outputType: ResultType
  axes: Record<string, string>
  prompt: string | null
  parameters: Record<string, unknown>
  inputs: GenerationInputs
  /** Your reference; null when not set. */
  reference: string | null
  /** Your metadata, by name; empty when not set. */
  metadata: Record<string, string>
  source: GenerationSource
  /** The credits held now; 0 after the end. */
  creditsHeld: Credits
  /** The charged credits; null until the end. */
  creditsCharged: Credits | null
  createdAt: Moment
  startedAt: Moment | null
  finishedAt: Moment | null
  /** The progress, 0 to 1; null when unknown, absent after the end. */
  progress?: number | null
  /** The position in the queue of the model's vendor; 1 is next, null is unknown. Absent after the end. */
  queuePosition?: number | null
  /** Seconds to wait before the next read; absent after the end. */
  pollAfterSeconds?: number
  result?: GenerationResult
  /** The request fields that accept this generationId as an input. */
  reusableAs?: string[]
  error?: GenerationFailure
}

/** `queued`, `running` and `finalizing` are open; `ready`, `failed` and `cancelled` are final. */
export type GenerationState = 'queued' | 'running' | 'finalizing' | 'ready' | 'failed' | 'cancelled'

export type GenerationFallback = {
  modelId: string
}

/** The type of a result; `text` occurs only in the history. */
export type ResultType = 'image' | 'video' | 'audio' | 'model3d' | 'text'

/** The input media, in their order. */
export type GenerationInputs = {
  imageIds: string[]
  videoIds: string[]
  audioIds: string[]
  model3dIds: string[]
}

/** The interface that started the generation. */
export type GenerationSource = 'rest' | 'mcp' | 'editor'

/** Credits, with at most two decimals. */
export type Credits = number

export type GenerationResult = {
  type: ResultType
  /** A link to the file. It needs no key and ends with the key that obtained it. Null for results of the editor and for deleted results. */
  url?: string | null
  urlExpiresAt?: Moment | null
  mimeType?: string | null
  sizeBytes?: number | null
  width?: number | null
  height?: number | null
  durationSeconds?: number | null
  /** The result of a text generation in the history. */
  text?: string
  /** Present when the result was deleted; the other fields are then null. */
  deletedAt?: Moment
}

export type GenerationFailure = {
  code: FailureClass
  /** The cause within the class, from an open list. Handle an unknown reason by `code`. */
  reason: string
  message: string
  /** Whether the same request may succeed when it is repeated. */
  retryable: boolean
  /** What to do before the next attempt. */
  hint: string
  /** Numbers, such as the prompt limit of the model. */
  details?: Record<string, number>
  /** The page that explains this reason and its remedy. */
  docUrl: string
}

/** The class, from a closed list. */
export type FailureClass = 'content_policy' | 'prompt_validation' | 'parameter_validation' | 'file_size' | 'image_size' | 'image_format' | 'feature_limitation' | 'model_unavailable' | 'insufficient_credits' | 'authentication' | 'timeout' | 'provider_error' | 'internal_error' | 'user_cancellation'

/** The body of a refusal. */
export type Refusal = {
  error: RefusalError
}

export type RefusalError = {
  /** Program against this code: a `RefusalCode`, or a code that a later release adds. */
  code: RefusalCode | (string & {})
  /** For people; may change between releases. */
  message: string
  /** Whether the same request may succeed when it is repeated. */
  retryable: boolean
  details?: RefusalDetails
  /** The page that explains this code and its remedy. */
  docUrl: string
}

/** The codes of this release. A later release may add codes: handle an unknown code by its status and `retryable`. */
export type RefusalCode = 'access_denied' | 'account_blocked' | 'cancel_conflict' | 'cost_above_limit' | 'credit_reservation_failed' | 'family_not_found' | 'family_unavailable' | 'file_fetch_failed' | 'file_metadata_missing' | 'file_not_found' | 'file_not_ready' | 'file_processing_failed' | 'file_quota_exceeded' | 'generation_not_found' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_credits' | 'insufficient_scope' | 'internal_error' | 'invalid_cursor' | 'invalid_parameters' | 'invalid_request' | 'invalid_token' | 'method_not_allowed' | 'not_cancellable' | 'not_found' | 'payload_too_large' | 'price_unavailable' | 'queue_unavailable' | 'rate_limited' | 'service_unavailable' | 'spend_limit_exceeded' | 'subscription_required' | 'team_expired' | 'team_required' | 'too_many_concurrent' | 'too_many_open' | 'unauthorized' | 'unsupported_content_type' | 'unsupported_file_format' | 'variant_not_resolved'

/** Machine-readable details. The code determines which fields are present. */
export type RefusalDetails = {
  issues?: Issue[]
  retryAfterSeconds?: number
  /** The price of the request. */
  credits?: Credits
  maxCredits?: Credits
  /** A price above this needs the confirmation of a person. */
  confirmAboveCredits?: Credits
  creditsAvailable?: Credits
  creditsHeld?: Credits
  limitKind?: LimitKind
  limitOwner?: LimitOwner
  limitCredits?: Credits
  spentCredits?: Credits
  heldCredits?: Credits
  /** When the daily or monthly ceiling resets. */
  resetsAt?: Moment
  familyId?: string
  /** The most similar familyId or modelId; absent when none is similar. */
  nearest?: string
  modelId?: string | null
  available?: AvailableVariant[]
  missingInputs?: string[]
  excessInputs?: string[]
  maxMediaInputs?: number
  /** The file; null when no file was stored. */
  fileId?: string | null
  /** The inputs that are not ready. */
  fileIds?: string[]
  /** The inputs that were not found. */
  ids?: string[]
  /** The request field with the identifiers; null when they came from the path. */
  field?: string | null
  /** The missing `team` or `role`, or the names of missing measurements or parameters. */
  missing?: string | string[]
  cause?: string
  /** The status of the response of a remote server. */
  status?: number
  state?: string
  source?: string
  idempotencyKey?: string
  /** The required scope. */
  required?: string
  /** The scopes of the key. */
  granted?: string[]
  limit?: number
  maxBytes?: number
  /** The files that no generation has used. */
  filesUsed?: number
  filesMax?: number
  /** The total size of files that no generation has used. */
  bytesUsed?: number
  bytesMax?: number
  received?: string | null
  detected?: string | null
  declared?: string | null
  allowed?: string[]
  [field: string]: unknown
}

/** One problem of a request. */
export type Issue = {
  in: IssuePlace
  /** The place of the problem. */
  path: (string | number)[]
  code: IssueCode
  message: string
  /** The allowed values. */
  allowed?: unknown[]
  /** The most similar allowed name or value; absent when none is similar. */
  nearest?: string
}

/** The part of the request with the problem. */
export type IssuePlace = 'body' | 'query' | 'header' | 'path'

export type IssueCode = 'required' | 'unknown_field' | 'wrong_type' | 'not_allowed' | 'too_small' | 'too_big' | 'too_long' | 'bad_format' | 'conflict'

/** The exceeded ceiling. */
export type LimitKind = 'daily' | 'single' | 'monthly'

/** Whose monthly ceiling it is. */
export type LimitOwner = 'key' | 'team'

/** A variant that takes the request, or a variant of the family. */
export type AvailableVariant = {
  modelId: string
  task: string
  axes: Record<string, string>
  inputs: VariantInputs
}

/** The inputs of a variant, apart from its parameters. */
export type VariantInputs = {
  prompt: PromptInput
  images: MediumInputs
  videos: MediumInputs
  audios: MediumInputs
  models3d: MediumInputs
}

export type PromptInput = {
  required: boolean
  /** In code points; null when the model has no limit. */
  maxLength: number | null
}

export type MediumInputs = {
  min: number
  max: number
  /** The request field of these inputs. */
  field: MediaField
  mimeTypes: string[]
  /** This and the following limits, if present, are limits of the model. */
  minBytes?: number
  maxBytes?: number
  minWidth?: number
  maxWidth?: number
  minHeight?: number
  maxHeight?: number
  /** Width by height. */
  minAspectRatio?: number
  maxAspectRatio?: number
  minDurationSeconds?: number
  maxDurationSeconds?: number
}

/** A request field for media. */
export type MediaField = 'imageIds' | 'videoId' | 'videoIds' | 'audioIds' | 'model3dIds'

export type FamilyList = {
  items: Family[]
  /** The cursor of the next page; null at the end. */
  nextCursor: string | null
}

export type Family = {
  id: string
  name: string
  vendor: string
  description: string
  available: boolean
  lockReason?: LockReason
  tasks: Task[]
  outputType: OutputType
  axes: Axis[]
  variants: Variant[]
  /** A JSON Schema (2020-12) of the `parameters` of all variants. Its `prompt` only contains the limit: a request has the prompt at its top level, and `parameters.prompt` is refused. For forms, use the schema of a variant. */
  parameters: Record<string, unknown>
  creditsFrom: Credits
  expectedRunSeconds: RunSeconds
  updatedAt: Moment
}

/** The reason why you cannot use a family. */
export type LockReason = 'access_denied' | 'disabled_by_team' | 'subscription_required' | 'temporarily_unavailable'

/** A choice that distinguishes the variants of a family, for example its `version`. */
export type Axis = {
  name: string
  label: string
  values: string[]
  default: string
}

export type Variant = {
  modelId: string
  label: string
  tasks: Task[]
  axes: Record<string, string>
  inputs: VariantInputs
  parameterNames: string[]
  /** A JSON Schema (2020-12) of the `parameters` of this variant, without the prompt. Use it for forms. */
  parameters: Record<string, unknown>
  prices: Price[]
  creditsFrom: Credits
  expectedRunSeconds: RunSeconds
}

export type Price = {
  unit: PriceUnit
  credits: number
  /** The parameter values to which this price applies; empty when it always applies. */
  when: Record<string, string | number | boolean>
}

/** The unit of a price: `generation`, `output_second`, `input_second` (measured, not rounded), `megapixel`, `thousand_characters` (each thousand code points or part of it). */
export type PriceUnit = 'generation' | 'output_second' | 'input_second' | 'megapixel' | 'thousand_characters'

/** The typical run time in seconds, and that of a slow run. */
export type RunSeconds = {
  typical: number
  slow: number
}

export type File = {
  /** The identifier to use as an input of a generation. */
  fileId: string
  state: FileState
  /** Null while it is unknown. */
  type: FileType | null
  /** The content type, detected from the content. */
  mimeType: string | null
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
  /** The request fields that accept this fileId. */
  usableIn: string[]
  /** While the file is processing: seconds to wait before the next read. */
  pollAfterSeconds?: number
  /** Why a failed file cannot be used, as a refusal. */
  error?: RefusalError
  createdAt: Moment
  /** When the file is deleted, unless a generation has used it. */
  expiresAt: Moment
}

export type FileState = 'processing' | 'ready' | 'failed'

/** The media type. */
export type FileType = 'image' | 'video' | 'audio' | 'model3d'

export type FileList = {
  items: File[]
  /** The cursor of the next page; null at the end. */
  nextCursor: string | null
}

export type Estimate = {
  familyId: string
  variant: EstimatedVariant
  /** The price: a start holds it, and charges it when the generation succeeds. */
  credits: Credits
  creditsAvailable: Credits
  /** Whether the account has enough credits now. */
  sufficient: boolean
  breakdown: EstimateLine[]
  expectedRunSeconds: RunSeconds
  /** The refusal codes that a start would return now. */
  blockers: string[]
}

/** The variant that a start would run. */
export type EstimatedVariant = {
  modelId: string
  task: string
  axes: Record<string, string>
}

export type EstimateLine = {
  unit: PriceUnit
  quantity: number
  credits: Credits
}

export type StartedGeneration = {
  generationId: string
  state: GenerationState
  familyId: string
  modelId: string | null
  /** Present when another variant ran because the requested one had no capacity; the price is the same. */
  fallback?: GenerationFallback
  task: string | null
  outputType: ResultType
  axes: Record<string, string>
  prompt: string | null
  parameters: Record<string, unknown>
  inputs: GenerationInputs
  /** Your reference; null when not set. */
  reference: string | null
  /** Your metadata, by name; empty when not set. */
  metadata: Record<string, string>
  source: GenerationSource
  /** The credits held now; 0 after the end. */
  creditsHeld: Credits
  /** The charged credits; null until the end. */
  creditsCharged: Credits | null
  createdAt: Moment
  startedAt: Moment | null
  finishedAt: Moment | null
  /** The progress, 0 to 1; null when unknown, absent after the end. */
  progress?: number | null
  /** The position in the queue of the model's vendor; 1 is next, null is unknown. Absent after the end. */
  queuePosition?: number | null
  /** Seconds to wait before the next read; absent after the end. */
  pollAfterSeconds?: number
  result?: GenerationResult
  /** The request fields that accept this generationId as an input. */
  reusableAs?: string[]
  error?: GenerationFailure
  /** True when this repeats the response of an earlier request with the same Idempotency-Key. */
  replayed: boolean
}

export type GenerationList = {
  items: Generation[]
  /** The cursor of the next page; null at the end. */
  nextCursor: string | null
}

export type StartedBatch = {
  /** One answer for each item, in order. */
  items: BatchPlace[]
}

export type BatchPlace = {
  /** The status that the start of this item would have: 201, or that of its refusal. */
  status: number
  /** The started generation; with the status 201. */
  generation?: StartedGeneration
  /** The refusal; with any other status. */
  error?: RefusalError
}

export type CancelledGeneration = {
  generationId: string
  state: GenerationState
  /** True when this call cancelled the generation. */
  cancelled: boolean
  creditsCharged: Credits
  creditsReturned: Credits
}

export type Account = {
  /** The credits that a start can hold now. */
  creditsAvailable: Credits
  /** The team of the key; null for a personal key. */
  team: AccountTeam | null
  files: FileQuota
  key: AccountKey
}

export type AccountTeam = {
  id: string
  name: string
  state: TeamState
  expiresAt: Moment | null
  limits: TeamLimits
}

export type TeamState = 'active' | 'expired' | 'blocked'

export type TeamLimits = {
  /** The monthly budget of the team, which its keys share. */
  monthly: MonthlyLimit
}

export type MonthlyLimit = {
  /** The ceiling of a calendar month in UTC; null when there is none. */
  limitCredits: Credits | null
  /** Charged this month. */
  spentCredits: Credits
  /** Held by open generations. */
  heldCredits: Credits
  remainingCredits: Credits | null
  resetsAt: Moment
}

/** The quota of files that no generation has used. */
export type FileQuota = {
  /** The files that no generation has used. */
  filesUsed: number
  filesMax: number
  /** Their total size. */
  bytesUsed: number
  bytesMax: number
}

/** The key of this request. */
export type AccountKey = {
  id: string
  name: string
  /** The first characters of the key, which stay visible. */
  prefix: string
  permissions: Scope[]
  /** When the key expires; null when it does not expire. */
  expiresAt: Moment | null
  /** After a rotation: when the previous value stops working, even if you sent that value; null when no previous value works. */
  previousValueEndsAt: Moment | null
  limits: KeyLimits
}

export type KeyLimits = {
  daily: DailyLimit
  monthly: MonthlyLimit
  single: SingleLimit
}

export type DailyLimit = {
  /** The ceiling of a calendar day in UTC; null when there is none. */
  limitCredits: Credits | null
  /** Charged today. */
  spentCredits: Credits
  /** Held by open generations. */
  heldCredits: Credits
  remainingCredits: Credits | null
  resetsAt: Moment
}

export type SingleLimit = {
  /** The ceiling of one generation; null when there is none. */
  limitCredits: Credits | null
}

export type Usage = {
  items: UsageLine[]
  nextCursor: null
}

export type UsageLine = {
  /** In UTC; with `by=day`. */
  day?: string
  /** With `by=key`; null for generations that no key started. */
  keyId?: string | null
  /** With `by=family`. */
  familyId?: string
  /** With `by=reference`; null in the line for all others. */
  reference?: string | null
  /** With `by=metadata`; null in the line for all others. */
  metadataValue?: string | null
  /** The line for everything without a line of its own; the last one of `by=reference` and `by=metadata`. */
  other?: true
  /** The generations that ended in the span, and the active ones. */
  generations: number
  ready: number
  failed: number
  cancelled: number
  /** The open generations that were started in the span. */
  active: number
  creditsCharged: Credits
  /** The credits held by the active generations. */
  creditsHeld: Credits
}

export type KeyList = {
  items: Key[]
  /** The cursor of the next page; null at the end. */
  nextCursor: string | null
}

/** A key of the team, without its value. */
export type Key = {
  id: string
  name: string
  /** The first characters of its value. */
  prefix: string
  scopes: Scope[]
  state: KeyState
  issuedBy: KeyIssuer
  /** Null when there is none. */
  dailyLimitCredits: Credits | null
  /** Null when there is none. */
  monthlyLimitCredits: Credits | null
  /** Null when there is none. */
  singleLimitCredits: Credits | null
  /** Null when there is none. */
  confirmAboveCredits: Credits | null
  spentTodayCredits: Credits
  spentThisMonthCredits: Credits
  heldCredits: Credits
  createdAt: Moment
  lastUsedAt: Moment | null
  expiresAt: Moment | null
  revokedAt: Moment | null
  /** The first characters of the value before a rotation, while it works. */
  previousPrefix: string | null
  previousValueEndsAt: Moment | null
}

/** A later end makes an expired key work again; a revoked key never does. */
export type KeyState = 'live' | 'expired' | 'revoked'

/** The person for whom it acts. */
export type KeyIssuer = {
  id: string
  name: string
}

export type KeyWithValue = {
  apiKey: Key
  /** The text of the key. It is shown only here. */
  value: string
}

export type WebhookSubscriptionList = {
  items: WebhookSubscription[]
  /** The cursor of the next page; null at the end. */
  nextCursor: string | null
}

/** A receiver of events, without its signing secret. */
export type WebhookSubscription = {
  id: string
  address: string
  events: WebhookEventName[]
  paused: boolean
  /** When it was paused because every attempt had failed for days. */
  autoPausedAt: Moment | null
  createdAt: Moment
  /** Until then requests are also signed with the previous secret. */
  secretOverlapEndsAt: Moment | null
  /** The day in UTC of the last attempt. */
  lastDeliveryDay: string | null
  lastDeliveryOutcome: DeliveryOutcome | null
}

export type DeliveryOutcome = 'delivered' | 'retrying' | 'failed'

export type WebhookSubscriptionWithSecret = {
  subscription: WebhookSubscription
  /** It is shown only here. */
  signingSecret: string
}

/** One event or alert for one subscription, or an event for the callback of a start. */
export type WebhookDelivery = {
  /** The `id` in the body, the same in every attempt. */
  id: string
  kind: DeliveryKind
  /** Null for the callback of a start. */
  subscriptionId: string | null
  /** The URL of the receiver. */
  address: string
  event: DeliveryEventName
  /** Counts the events of the subscription, or of the callbacks to one host, from 1 without gaps. */
  eventNumber: number
  isTest: boolean
  /** The time of the event. */
  time: Moment
  state: DeliveryState
  attempts: number
  /** Of the latest attempt; null without a response. */
  responseCode: number | null
  /** Why it failed: our reason, then the first bytes of the reply. */
  refusalText: string | null
  /** The first bytes of the reply, with invisible characters escaped. */
  responseSnippet: string | null
  /** Null for a closed delivery. */
  nextAttemptAt: Moment | null
}

/** An event of a generation, or an alert. */
export type DeliveryEventName = 'generation.completed' | 'generation.failed' | 'generation.cancelled' | 'credits.low' | 'key.near_ceiling' | 'webhook.failing' | 'key.expiring' | 'plan.expiring'

export type WebhookDeliveryList = {
  items: WebhookDelivery[]
  /** The cursor of the next page; null at the end. */
  nextCursor: string | null
}

/** The secret of the callbacks of a team. It can be read again. */
export type CallbackSecret = {
  /** It signs the callbacks of starts. */
  signingSecret: string
  /** Until then callbacks are also signed with the previous secret. */
  secretOverlapEndsAt: Moment | null
}

/** What each operation takes and answers. */
export type Operations = {
  /** List the model families */
  listFamilies: {
    path: Record<string, never>
    query: {
      /** Only families with a variant for this task. */
      task?: Task
      /** Only families with this output type. */
      outputType?: OutputType
    }
    headers: {
      /** An earlier `ETag`: the response is 304 when nothing has changed. */
      'If-None-Match'?: string
    }
    body: never
    answer: FamilyList
  }
  /** Get one family */
  getFamily: {
    path: {
      /** The identifier of the family. */
      id: string
    }
    query: Record<string, never>
    headers: {
      /** An earlier `ETag`: the response is 304 when nothing has changed. */
      'If-None-Match'?: string
    }
    body: never
    answer: Family
  }
  /** Upload an input file */
  uploadFile: {
    path: Record<string, never>
    query: Record<string, never>
    headers: Record<string, never>
    body: FileRequest
    answer: File
  }
  /** List files */
  listFiles: {
    path: Record<string, never>
    query: {
      /** The `nextCursor` of the previous page, with the same filter. */
      cursor?: string
      /** The page size; default 50. */
      limit?: number
      /** Only files of this media type. */
      type?: 'image' | 'video' | 'audio' | 'model3d'
      /** With `true`, only files that count towards the quota: no generation has used them, and they have not failed. */
      unused?: 'true' | 'false'
    }
    headers: Record<string, never>
    body: never
    answer: FileList
  }
  /** Get a file */
  getFile: {
    path: {
      /** The identifier of the file. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: File
  }
  /** Delete a file */
  deleteFile: {
    path: {
      /** The identifier of the file. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: undefined
  }
  /** Estimate the cost */
  estimateGeneration: {
    path: Record<string, never>
    query: Record<string, never>
    headers: Record<string, never>
    body: GenerationRequest
    answer: Estimate
  }
  /** Start a generation */
  startGeneration: {
    path: Record<string, never>
    query: {
      /** Delay the response until the generation ends, for at most this many seconds. More than 60 counts as 60. */
      wait?: number
    }
    headers: {
      /** A unique key for one start or batch, kept for 24 hours. */
      'Idempotency-Key'?: string
    }
    body: GenerationRequest
    answer: StartedGeneration
  }
  /** List the history */
  listGenerations: {
    path: Record<string, never>
    query: {
      /** The `nextCursor` of the previous page, with the same filter. */
      cursor?: string
      /** The page size; default 50. */
      limit?: number
      /** `active` for open generations. Without a status, generations of every state are listed. */
      status?: HistoryStatus
      /** Only generations with exactly this reference. */
      reference?: string
      /** Only generations of this family. */
      familyId?: string
      /** Only generations that this key started. */
      keyId?: string
      /** Only generations that were started through this interface. */
      source?: 'rest' | 'mcp' | 'editor'
      /** Only generations created at this moment or later. */
      createdAfter?: string
      /** Only generations created before this moment. */
      createdBefore?: string
      /** Only generations whose metadata has these values, such as `metadata[project]=harbour`. */
      metadata?: Record<string, string>
    }
    headers: Record<string, never>
    body: never
    answer: GenerationList
  }
  /** Start several generations */
  startBatch: {
    path: Record<string, never>
    query: Record<string, never>
    headers: {
      /** A unique key for one start or batch, kept for 24 hours. */
      'Idempotency-Key'?: string
    }
    body: BatchRequest
    answer: StartedBatch
  }
  /** Get a generation */
  getGeneration: {
    path: {
      /** The identifier of the generation. */
      id: string
    }
    query: {
      /** Delay the response until the generation ends, for at most this many seconds. More than 60 counts as 60. */
      wait?: number
    }
    headers: Record<string, never>
    body: never
    answer: Generation
  }
  /** Follow a generation */
  followGeneration: {
    path: {
      /** The identifier of the generation. */
      id: string
    }
    query: Record<string, never>
    headers: {
      /** The `id` of the last received event. The new stream begins with the present state, under the next number. */
      'Last-Event-ID'?: string
    }
    body: never
    answer: Generation
  }
  /** Cancel a generation */
  cancelGeneration: {
    path: {
      /** The identifier of the generation. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: CancelRequest
    answer: CancelledGeneration
  }
  /** Delete a result */
  deleteResult: {
    path: {
      /** The identifier of the generation. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: undefined
  }
  /** Get the account */
  getAccount: {
    path: Record<string, never>
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: Account
  }
  /** Get the usage */
  getUsage: {
    path: Record<string, never>
    query: {
      /** The first day in UTC, or a moment of that day. Default: thirty days before the end. */
      from?: string
      /** The last day, or the first moment after the span. Default: today. */
      to?: string
      /** How to group the lines. Default: by day. */
      by?: 'day' | 'key' | 'family' | 'reference' | 'metadata'
      /** The name of an entry of `metadata`; with `by=metadata`, and only then. */
      name?: string
      /** Only the days of this key; with `by=day`, and without `familyId`. */
      keyId?: string
      /** Only the days of this family; with `by=day`, and without `keyId`. */
      familyId?: string
    }
    headers: Record<string, never>
    body: never
    answer: Usage
  }
  /** List the keys of the team */
  listKeys: {
    path: Record<string, never>
    query: {
      /** The `nextCursor` of the previous page, with the same filter. */
      cursor?: string
      /** The page size; default 50. */
      limit?: number
      /** Only keys in that state. */
      state?: 'live' | 'expired' | 'revoked'
      /** A part of the name or of the prefix, case-insensitive, or a whole identifier. */
      search?: string
    }
    headers: Record<string, never>
    body: never
    answer: KeyList
  }
  /** Issue a key */
  issueKey: {
    path: Record<string, never>
    query: Record<string, never>
    headers: Record<string, never>
    body: NewKey
    answer: KeyWithValue
  }
  /** Get a key */
  getKey: {
    path: {
      /** The identifier of the key. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: Key
  }
  /** Change a key */
  updateKey: {
    path: {
      /** The identifier of the key. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: KeyChange
    answer: Key
  }
  /** Revoke a key */
  revokeKey: {
    path: {
      /** The identifier of the key. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: undefined
  }
  /** Give a key a new value */
  rotateKey: {
    path: {
      /** The identifier of the key. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: KeyRotation
    answer: KeyWithValue
  }
  /** List the webhooks of the team */
  listWebhooks: {
    path: Record<string, never>
    query: {
      /** The `nextCursor` of the previous page, with the same filter. */
      cursor?: string
      /** The page size; default 50. */
      limit?: number
    }
    headers: Record<string, never>
    body: never
    answer: WebhookSubscriptionList
  }
  /** Create a webhook */
  createWebhook: {
    path: Record<string, never>
    query: Record<string, never>
    headers: Record<string, never>
    body: NewWebhookSubscription
    answer: WebhookSubscriptionWithSecret
  }
  /** Get a webhook */
  getWebhook: {
    path: {
      /** The identifier of the webhook. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: WebhookSubscription
  }
  /** Change, pause or resume a webhook */
  updateWebhook: {
    path: {
      /** The identifier of the webhook. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: WebhookSubscriptionChange
    answer: WebhookSubscription
  }
  /** Delete a webhook */
  deleteWebhook: {
    path: {
      /** The identifier of the webhook. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: undefined
  }
  /** Give a webhook a new secret */
  rotateWebhookSecret: {
    path: {
      /** The identifier of the webhook. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: WebhookSecretRotation
    answer: WebhookSubscriptionWithSecret
  }
  /** Send a test event */
  sendTestEvent: {
    path: {
      /** The identifier of the webhook. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: Record<string, never>
    answer: WebhookDelivery
  }
  /** List the deliveries of a webhook */
  listDeliveries: {
    path: {
      /** The identifier of the webhook. */
      id: string
    }
    query: {
      /** The `nextCursor` of the previous page, with the same filter. */
      cursor?: string
      /** The page size; default 50. */
      limit?: number
      /** Only deliveries in that state. */
      state?: DeliveryState
      /** Only deliveries of that event. */
      event?: WebhookEventName
      /** Events at that time or later. */
      since?: string
    }
    headers: Record<string, never>
    body: never
    answer: WebhookDeliveryList
  }
  /** List the deliveries of a team */
  listTeamDeliveries: {
    path: Record<string, never>
    query: {
      /** The `nextCursor` of the previous page, with the same filter. */
      cursor?: string
      /** The page size; default 50. */
      limit?: number
      /** Only deliveries in that state. */
      state?: DeliveryState
      /** Only deliveries of that event. */
      event?: WebhookEventName
      /** Events at that time or later. */
      since?: string
      /** Only deliveries of that kind. */
      kind?: DeliveryKind
      /** Only the callbacks of starts, like the kind `callback`. */
      callbacks?: 'true'
    }
    headers: Record<string, never>
    body: never
    answer: WebhookDeliveryList
  }
  /** Get a delivery */
  getDelivery: {
    path: {
      /** The identifier of the delivery. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: WebhookDelivery
  }
  /** Send an event again */
  redeliver: {
    path: {
      /** The identifier of the delivery. */
      id: string
    }
    query: Record<string, never>
    headers: Record<string, never>
    body: Record<string, never>
    answer: WebhookDelivery
  }
  /** Get the secret of callbacks */
  getCallbackSecret: {
    path: Record<string, never>
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: CallbackSecret
  }
  /** Give callbacks a new secret */
  rotateCallbackSecret: {
    path: Record<string, never>
    query: Record<string, never>
    headers: Record<string, never>
    body: WebhookSecretRotation
    answer: CallbackSecret
  }
  /** Get the OpenAPI document */
  getDescription: {
    path: Record<string, never>
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: Record<string, unknown>
  }
}

/** Where each operation is. */
export const routes = {
  listFamilies: { method: 'GET', path: '/families' },
  getFamily: { method: 'GET', path: '/families/{id}' },
  uploadFile: { method: 'POST', path: '/files' },
  listFiles: { method: 'GET', path: '/files' },
  getFile: { method: 'GET', path: '/files/{id}' },
  deleteFile: { method: 'DELETE', path: '/files/{id}' },
  estimateGeneration: { method: 'POST', path: '/generations/estimate' },
  startGeneration: { method: 'POST', path: '/generations' },
  listGenerations: { method: 'GET', path: '/generations' },
  startBatch: { method: 'POST', path: '/generations/batch' },
  getGeneration: { method: 'GET', path: '/generations/{id}' },
  followGeneration: { method: 'GET', path: '/generations/{id}/events' },
  cancelGeneration: { method: 'POST', path: '/generations/{id}/cancel' },
  deleteResult: { method: 'DELETE', path: '/generations/{id}/result' },
  getAccount: { method: 'GET', path: '/account' },
  getUsage: { method: 'GET', path: '/usage' },
  listKeys: { method: 'GET', path: '/keys' },
  issueKey: { method: 'POST', path: '/keys' },
  getKey: { method: 'GET', path: '/keys/{id}' },
  updateKey: { method: 'PATCH', path: '/keys/{id}' },
  revokeKey: { method: 'DELETE', path: '/keys/{id}' },
  rotateKey: { method: 'POST', path: '/keys/{id}/rotate' },
  listWebhooks: { method: 'GET', path: '/webhooks' },
  createWebhook: { method: 'POST', path: '/webhooks' },
  getWebhook: { method: 'GET', path: '/webhooks/{id}' },
  updateWebhook: { method: 'PATCH', path: '/webhooks/{id}' },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{id}' },
  rotateWebhookSecret: { method: 'POST', path: '/webhooks/{id}/rotate-secret' },
  sendTestEvent: { method: 'POST', path: '/webhooks/{id}/test' },
  listDeliveries: { method: 'GET', path: '/webhooks/{id}/deliveries' },
  listTeamDeliveries: { method: 'GET', path: '/deliveries' },
  getDelivery: { method: 'GET', path: '/deliveries/{id}' },
  redeliver: { method: 'POST', path: '/deliveries/{id}/redeliver' },
  getCallbackSecret: { method: 'GET', path: '/callback-secret' },
  rotateCallbackSecret: { method: 'POST', path: '/callback-secret/rotate' },
  getDescription: { method: 'GET', path: '/openapi.json' },
} as const satisfies Record<keyof Operations, { method: string; path: string }>
