/** How the clients call an operation, besides its path and its example body. */
export type ClientCall = {
  /** The method of the TypeScript client. The Python client has the same name in snake case. */
  method: string
  /** The example query. */
  query?: Record<string, string | number>
  /** Fields of the body that the TypeScript client takes as arguments of their own, before the options with the rest. */
  positional?: readonly string[]
  /** The Python client takes the body as one dictionary of this name, with the names of REST. */
  pythonBody?: string
  /** The operation yields values. */
  isStream?: true
  /** The operation takes a file instead of a JSON body. */
  file?: string
  /** The rest of the command `atelier-client`. `{id}` is the identifier in the path. */
  command?: string
}

/** The calls by operation. Each operation of the OpenAPI document needs one. */
export const clientCalls: Readonly<Record<string, ClientCall>> = {
  listFamilies: { method: 'listFamilies', query: { outputType: 'video' }, command: 'families' },
  getFamily: { method: 'getFamily', command: 'families {id}' },
  uploadFile: { method: 'uploadFile', file: 'first-frame.png', command: 'files upload first-frame.png' },
  listFiles: { method: 'listFiles', query: { type: 'image' }, command: 'files list' },
  getFile: { method: 'getFile' },
  deleteFile: { method: 'deleteFile', command: 'files delete {id}' },
  estimateGeneration: {
    method: 'estimate',
    command: "estimate sandbox-image 'A lighthouse at dusk' --axis version=standard -p width=768 -p height=512",
  },
  startGeneration: {
    method: 'start',
    command: "run sandbox-image 'A lighthouse at dusk' --axis version=standard -p width=768 -p height=512 --max-credits 5",
  },
  startBatch: { method: 'startBatch', positional: ['items'], command: 'batch requests.jsonl --max-credits 5' },
  getGeneration: { method: 'getGeneration', query: { wait: 20 }, command: 'get {id}' },
  followGeneration: { method: 'events', isStream: true },
  listGenerations: { method: 'listGenerations', query: { status: 'ready', limit: 10 }, command: 'history --status ready --limit 10' },
  cancelGeneration: { method: 'cancel', command: 'cancel {id}' },
  deleteResult: { method: 'deleteResult', command: 'delete result {id}' },
  getAccount: { method: 'getAccount', command: 'account' },
  getUsage: { method: 'usage', query: { by: 'family' }, command: 'usage --by family' },
  listKeys: { method: 'listKeys', query: { state: 'live' }, command: 'keys' },
  issueKey: {
    method: 'issueKey',
    command: 'keys issue render-bot --scope generations:read --scope generations:write --daily 500 --expires 2027-01-01T00:00:00Z',
  },
  getKey: { method: 'getKey' },
  updateKey: { method: 'updateKey', pythonBody: 'changes', command: 'keys update {id} --daily 250' },
  revokeKey: { method: 'revokeKey', command: 'keys revoke {id}' },
  rotateKey: { method: 'rotateKey', command: 'keys rotate {id} --overlap-hours 24' },
  listWebhooks: { method: 'listWebhooks', command: 'webhooks' },
  createWebhook: {
    method: 'createWebhook',
    command: 'webhooks add https://hooks.example.com/atelier --event generation.completed --event generation.failed',
  },
  getWebhook: { method: 'getWebhook' },
  updateWebhook: { method: 'updateWebhook', command: 'webhooks pause {id}' },
  deleteWebhook: { method: 'deleteWebhook', command: 'webhooks delete {id}' },
  rotateWebhookSecret: { method: 'rotateWebhookSecret', command: 'webhooks rotate-secret {id} --overlap-hours 24' },
  sendTestEvent: { method: 'sendTestEvent', command: 'webhooks test {id}' },
  listDeliveries: { method: 'listDeliveries', query: { state: 'failed' }, command: 'webhooks deliveries {id}' },
  listTeamDeliveries: { method: 'listTeamDeliveries', query: { state: 'failed' }, command: 'webhooks deliveries all' },
  getDelivery: { method: 'getDelivery' },
  redeliver: { method: 'redeliver', command: 'webhooks redeliver {id}' },
  getCallbackSecret: { method: 'getCallbackSecret' },
  rotateCallbackSecret: { method: 'rotateCallbackSecret' },
  getDescription: { method: 'getDescription' },
}

/** Identifiers in the examples, by the first segment of the path. */
export const exampleIds: Readonly<Record<string, string>> = {
  families: 'sandbox-image',
  files: 'file_01kabc5m1dexampleexample00',
  generations: 'gen_01kabc5m1dexampleexample00',
  keys: 'key_01kabc5m1dexampleexample00',
  webhooks: 'hook_01kabc5m1dexampleexample00',
  deliveries: 'evt_01kabc5m1dexampleexample00',
}
