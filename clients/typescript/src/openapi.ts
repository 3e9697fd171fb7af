/* oxlint-disable max-lines */
// biome-ignore-all format: written by a program, `npm run generate:client`, from the OpenAPI document of the service.

/** What a model does. */
export type Task = 'text-to-image' | 'image-to-image' | 'inpaint' | 'upscale-image' | 'remove-background' | 'text-to-video' | 'image-to-video' | 'video-to-video' | 'upscale-video' | 'lip-sync' | 'text-to-speech' | 'text-to-audio' | 'text-to-music' | 'audio-to-audio' | 'text-to-3d' | 'image-to-3d' | 'retexture-3d'

/** What comes out of a family. */
export type OutputType = 'image' | 'video' | 'audio' | 'model3d'

/** A file as a part of a form. */
export type FileForm = {
  /** The content. */
  file: string
  /** What the content is; a file whose content is something else is refused. */
  mimeType?: string
}

/** A file by link or in base64: exactly one of `url` and `base64`. */
export type FileRequest = {
  /** Where the file is fetched from: a public http or https address. */
  url?: string
  /** The content in base64 with padding; a `data:` prefix may stand before it. */
  base64?: string
  /** What the content is; a file whose content is something else is refused. */
  mimeType?: string
}

/** What to run. Only familyId is required. */
export type GenerationRequest = {
  /** Which family of the catalog. */
  familyId: string
  /** What to make. Models have stricter limits of their own. */
  prompt?: string
  /** Choices on the axes of the family, for example its `version`. An omitted axis takes its default. */
  axes?: Record<string, string>
  /** Names a whole variant; excludes `axes`. */
  modelId?: string
  /** Parameters by the JSON Schema of the family. Media never stand here. */
  parameters?: Record<string, unknown>
  /** Images: identifiers of uploaded files or of ready generations, in their order. */
  imageIds?: string[]
  /** A single video. */
  videoId?: string
  /** Videos: identifiers of uploaded files or of ready generations, in their order. */
  videoIds?: string[]
  /** Audio: identifiers of uploaded files or of ready generations, in their order. */
  audioIds?: string[]
  /** 3D models: identifiers of uploaded files or of ready generations, in their order. */
  model3dIds?: string[]
  /** Refuse the request when it costs more than this many credits. */
  maxCredits?: number
  /** A word of your own for it, to find it by; never interpreted. */
  reference?: string
  /** Strings of your own by name: kept, given back, never interpreted. */
  metadata?: Record<string, string>
}

export type HistoryStatus = 'active' | 'ready' | 'failed'

export type CancelRequest = Record<string, never>

export type WebhookBody = {
  /** The same for all attempts of one event; drop what you have seen. */
  id: string
  event: WebhookEventName
  /** When it happened, not when it was sent. */
  createdAt: Moment
  data: WebhookData
}

export type WebhookEventName = 'generation.completed' | 'generation.failed' | 'generation.cancelled'

/** ISO 8601 in UTC with milliseconds. */
export type Moment = string

export type WebhookData = {
  generation: Generation
}

/** A generation, in the one shape that it has everywhere. */
export type Generation = {
  generationId: string
  state: GenerationState
  familyId: string
  modelId: string | null
  /** Present when another variant made it, since the one asked for had no room; the price is the same. */
  fallback?: GenerationFallback
  task: string | null
  outputType: ResultType
  axes: Record<string, string>
  prompt: string | null
  parameters: Record<string, unknown>
  inputs: GenerationInputs
  /** The caller's own word for it; null when not given. */
  reference: string | null
  /** The caller's own, by name; empty when not given. */
  metadata: Record<string, string>
  source: GenerationSource
  /** What is held now; 0 at the end. */
  creditsHeld: Credits
  /** What was charged; null until the end. */
  creditsCharged: Credits | null
  createdAt: Moment
  startedAt: Moment | null
  finishedAt: Moment | null
  /** How much is done, 0 to 1; null when unknown, absent at the end. */
  progress?: number | null
  /** Its place in the queue of the model's vendor, 1 is next; null when unknown, absent at the end. */
  queuePosition?: number | null
  /** Ask again after so many seconds; absent at the end. */
  pollAfterSeconds?: number
  result?: GenerationResult
  /** Request fields that take this generationId as an input. */
  reusableAs?: string[]
  error?: GenerationFailure
}

/** `queued`, `running` and `finalizing` go on; `ready`, `failed` and `cancelled` are the ends. */
export type GenerationState = 'queued' | 'running' | 'finalizing' | 'ready' | 'failed' | 'cancelled'

export type GenerationFallback = {
  modelId: string
}

/** What a generation makes; `text` stands in the history alone. */
export type ResultType = 'image' | 'video' | 'audio' | 'model3d' | 'text'

/** The media that it started from, in their order. */
export type GenerationInputs = {
  imageIds: string[]
  videoIds: string[]
  audioIds: string[]
  model3dIds: string[]
}

/** Where it was started. */
export type GenerationSource = 'rest' | 'mcp' | 'editor'

/** Credits, exact to the hundredth. */
export type Credits = number

export type GenerationResult = {
  type: ResultType
  /** A link to the file; needs no key, and dies with the key that obtained it. Null where the file stayed in the editor, and once it is deleted. */
  url?: string | null
  urlExpiresAt?: Moment | null
  mimeType?: string | null
  sizeBytes?: number | null
  width?: number | null
  height?: number | null
  durationSeconds?: number | null
  /** What a text generation of the history made. */
  text?: string
  /** Present once the result was deleted: the rest of it is null then. */
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
export type RefusalCode = 'access_denied' | 'account_blocked' | 'cancel_conflict' | 'cost_above_limit' | 'credit_reservation_failed' | 'family_not_found' | 'family_unavailable' | 'file_fetch_failed' | 'file_metadata_missing' | 'file_not_found' | 'file_not_ready' | 'file_processing_failed' | 'generation_not_found' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_credits' | 'insufficient_scope' | 'internal_error' | 'invalid_cursor' | 'invalid_parameters' | 'invalid_request' | 'invalid_token' | 'method_not_allowed' | 'not_cancellable' | 'not_found' | 'payload_too_large' | 'price_unavailable' | 'queue_unavailable' | 'rate_limited' | 'service_unavailable' | 'spend_limit_exceeded' | 'subscription_required' | 'team_expired' | 'team_required' | 'too_many_concurrent' | 'too_many_open' | 'unauthorized' | 'unsupported_content_type' | 'unsupported_file_format' | 'variant_not_resolved'

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
  limitCredits?: Credits
  spentCredits?: Credits
  heldCredits?: Credits
  /** When the daily ceiling resets. */
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
  /** The limit of stored files that no generation has used. */
  maxFiles?: number
  /** The total size of files that no generation has used. */
  unusedBytes?: number
  unusedFiles?: number
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

/** The exceeded ceiling of the key. */
export type LimitKind = 'daily' | 'single'

/** A variant that takes the request, or a variant of the family. */
export type AvailableVariant = {
  modelId: string
  task: string
  axes: Record<string, string>
  inputs: VariantInputs
}

/** What a variant takes beside its parameters. */
export type VariantInputs = {
  prompt: PromptInput
  images: MediumInputs
  videos: MediumInputs
  audios: MediumInputs
  models3d: MediumInputs
}

export type PromptInput = {
  required: boolean
  /** In code points; null when the model names no limit. */
  maxLength: number | null
}

export type MediumInputs = {
  min: number
  max: number
  /** The request field that carries these inputs. */
  field: MediaField
  mimeTypes: string[]
  /** Where given, the model itself accepts nothing beyond this and the following limits. */
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

/** A field of the request that carries media. */
export type MediaField = 'imageIds' | 'videoId' | 'videoIds' | 'audioIds' | 'model3dIds'

export type FamilyList = {
  items: Family[]
  /** Asks for the next page; null at the end. */
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
  /** A JSON Schema (2020-12) of `parameters`, over all variants. Its `prompt` only tells the limit: the prompt stands at the top level of a request and is refused here. For forms take that of a variant. */
  parameters: Record<string, unknown>
  creditsFrom: Credits
  expectedRunSeconds: RunSeconds
  updatedAt: Moment
}

/** Why you cannot use a family. */
export type LockReason = 'access_denied' | 'disabled_by_team' | 'subscription_required' | 'temporarily_unavailable'

/** A choice by which the variants of a family differ, for example its `version`. */
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
  /** A JSON Schema (2020-12) of just the `parameters` that this variant takes, without the prompt: ready for forms. */
  parameters: Record<string, unknown>
  prices: Price[]
  creditsFrom: Credits
  expectedRunSeconds: RunSeconds
}

export type Price = {
  unit: PriceUnit
  credits: number
  /** Parameter values for which this price holds; empty when it always does. */
  when: Record<string, string | number | boolean>
}

/** What a price is for: `generation`, `output_second`, `input_second` (measured, not rounded), `megapixel`, `thousand_characters` (begun, in code points). */
export type PriceUnit = 'generation' | 'output_second' | 'input_second' | 'megapixel' | 'thousand_characters'

/** How long the work usually takes, and how long when it is slow. */
export type RunSeconds = {
  typical: number
  slow: number
}

export type File = {
  /** What a generation takes as an input. */
  fileId: string
  state: FileState
  /** Null while that is not known. */
  type: FileType | null
  /** What the content is, by its signature. */
  mimeType: string | null
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
  /** Request fields that take this fileId. */
  usableIn: string[]
  /** While it is processing: ask again after so many seconds. */
  pollAfterSeconds?: number
  /** Why a failed file cannot be used. */
  error?: RefusalError
  createdAt: Moment
  /** When the file is removed unless a generation has used it. */
  expiresAt: Moment
}

export type FileState = 'processing' | 'ready' | 'failed'

/** What kind of media it holds. */
export type FileType = 'image' | 'video' | 'audio' | 'model3d'

export type Estimate = {
  familyId: string
  variant: EstimatedVariant
  /** What a start would hold and, when it succeeds, charge. */
  credits: Credits
  creditsAvailable: Credits
  /** Whether the account covers the work right now. */
  sufficient: boolean
  breakdown: EstimateLine[]
  expectedRunSeconds: RunSeconds
  /** Refusal codes that a start would meet now. */
  blockers: string[]
}

/** The variant that would run. */
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
  /** Present when another variant made it, since the one asked for had no room; the price is the same. */
  fallback?: GenerationFallback
  task: string | null
  outputType: ResultType
  axes: Record<string, string>
  prompt: string | null
  parameters: Record<string, unknown>
  inputs: GenerationInputs
  /** The caller's own word for it; null when not given. */
  reference: string | null
  /** The caller's own, by name; empty when not given. */
  metadata: Record<string, string>
  source: GenerationSource
  /** What is held now; 0 at the end. */
  creditsHeld: Credits
  /** What was charged; null until the end. */
  creditsCharged: Credits | null
  createdAt: Moment
  startedAt: Moment | null
  finishedAt: Moment | null
  /** How much is done, 0 to 1; null when unknown, absent at the end. */
  progress?: number | null
  /** Its place in the queue of the model's vendor, 1 is next; null when unknown, absent at the end. */
  queuePosition?: number | null
  /** Ask again after so many seconds; absent at the end. */
  pollAfterSeconds?: number
  result?: GenerationResult
  /** Request fields that take this generationId as an input. */
  reusableAs?: string[]
  error?: GenerationFailure
  /** True when this repeats the answer to an earlier request of the same Idempotency-Key. */
  replayed: boolean
}

export type GenerationList = {
  items: Generation[]
  /** Asks for the next page; null at the end. */
  nextCursor: string | null
}

export type CancelledGeneration = {
  generationId: string
  state: GenerationState
  /** True when this very call cancelled it. */
  cancelled: boolean
  creditsCharged: Credits
  creditsReturned: Credits
}

export type Account = {
  /** What a start may hold now. */
  creditsAvailable: Credits
  /** The team that the key acts for. */
  team: AccountTeam | null
  key: AccountKey
}

export type AccountTeam = {
  id: string
  name: string
  state: TeamState
  expiresAt: Moment | null
}

export type TeamState = 'active' | 'expired' | 'blocked'

/** The key that was presented. */
export type AccountKey = {
  id: string
  name: string
  /** The part of the key that stays visible. */
  prefix: string
  permissions: Scope[]
  /** When the key ends; null when it lives until it is revoked. */
  expiresAt: Moment | null
  /** After a rotation: when the value before it stops working, be it the one that you sent; null when no such value works. */
  previousValueEndsAt: Moment | null
  limits: KeyLimits
}

/** What a key may do; `mcp` opens no endpoint of this interface. */
export type Scope = 'catalog:read' | 'generations:read' | 'generations:write' | 'files:write' | 'account:read' | 'mcp'

export type KeyLimits = {
  daily: DailyLimit
  single: SingleLimit
}

export type DailyLimit = {
  /** The ceiling of a calendar day in UTC; null for none. */
  limitCredits: Credits | null
  /** Charged today. */
  spentCredits: Credits
  /** Held by what is running. */
  heldCredits: Credits
  remainingCredits: Credits | null
  resetsAt: Moment
}

export type SingleLimit = {
  /** The ceiling of one generation; null for none. */
  limitCredits: Credits | null
}

export type Usage = {
  items: UsageLine[]
  nextCursor: null
}

export type UsageLine = {
  /** In UTC; with `by=day`. */
  day?: string
  /** With `by=key`; null for what no key started. */
  keyId?: string | null
  /** With `by=family`. */
  familyId?: string
  /** Those that ended in the span, and the active ones. */
  generations: number
  ready: number
  failed: number
  cancelled: number
  /** Those that were started in the span and go on. */
  active: number
  creditsCharged: Credits
  /** What the active ones hold. */
  creditsHeld: Credits
}

/** What each operation takes and answers. */
export type Operations = {
  /** List the model families */
  listFamilies: {
    path: Record<string, never>
    query: {
      /** Only families with a variant that does this. */
      task?: Task
      /** Only families that make this. */
      outputType?: OutputType
    }
    headers: {
      /** An `ETag` from before: the answer is 304 when nothing has changed. */
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
      /** An `ETag` from before: the answer is 304 when nothing has changed. */
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
      /** Hold the answer for up to so many seconds, until the work ends. More than 60 counts as 60. */
      wait?: number
    }
    headers: {
      /** One key for one logical start, kept for 24 hours. */
      'Idempotency-Key'?: string
    }
    body: GenerationRequest
    answer: StartedGeneration
  }
  /** List the history */
  listGenerations: {
    path: Record<string, never>
    query: {
      /** The `nextCursor` of an earlier page with the same filter. */
      cursor?: string
      /** How many a page holds; 50 when not said. */
      limit?: number
      /** `active` for those that go on. Cancelled ones are listed only without a status. */
      status?: HistoryStatus
      /** Only those that were started with exactly this reference. */
      reference?: string
    }
    headers: Record<string, never>
    body: never
    answer: GenerationList
  }
  /** Get a generation */
  getGeneration: {
    path: {
      /** The identifier of the generation. */
      id: string
    }
    query: {
      /** Hold the answer for up to so many seconds, until the work ends. More than 60 counts as 60. */
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
      /** The `id` of the last event that arrived: the first of the new stream is the present state, under the next number. */
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
  /** What may be spent right now */
  getAccount: {
    path: Record<string, never>
    query: Record<string, never>
    headers: Record<string, never>
    body: never
    answer: Account
  }
  /** What was spent, by day, key or family */
  getUsage: {
    path: Record<string, never>
    query: {
      /** The first day in UTC, or a moment of it; thirty days when not said. */
      from?: string
      /** The last day, or the first moment that no longer counts; today when not said. */
      to?: string
      /** What a line stands for; a day when not said. */
      by?: 'day' | 'key' | 'family'
    }
    headers: Record<string, never>
    body: never
    answer: Usage
  }
  /** This description */
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
  getFile: { method: 'GET', path: '/files/{id}' },
  deleteFile: { method: 'DELETE', path: '/files/{id}' },
  estimateGeneration: { method: 'POST', path: '/generations/estimate' },
  startGeneration: { method: 'POST', path: '/generations' },
  listGenerations: { method: 'GET', path: '/generations' },
  getGeneration: { method: 'GET', path: '/generations/{id}' },
  followGeneration: { method: 'GET', path: '/generations/{id}/events' },
  cancelGeneration: { method: 'POST', path: '/generations/{id}/cancel' },
  deleteResult: { method: 'DELETE', path: '/generations/{id}/result' },
  getAccount: { method: 'GET', path: '/account' },
  getUsage: { method: 'GET', path: '/usage' },
  getDescription: { method: 'GET', path: '/openapi.json' },
} as const satisfies Record<keyof Operations, { method: string; path: string }>
