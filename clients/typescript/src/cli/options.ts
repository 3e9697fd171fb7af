import type { Options } from './command.ts'

/** Options of all commands. */
export const commonOptions: Options = {
  json: { type: 'boolean', help: 'print the JSON of the API, one value per line, and nothing else on standard output' },
  quiet: { type: 'boolean', short: 'q', help: 'print no progress messages' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
}

/** Options of all commands that call the service. */
export const serviceOptions: Options = {
  url: { type: 'string', value: '<address>', help: 'the service; default: ATELIER_URL, then http://127.0.0.1:8080' },
  key: {
    type: 'string',
    value: '<key>',
    help: 'the key; prefer ATELIER_KEY, because other users see it in the process list; - reads it from standard input',
  },
  'key-file': { type: 'string', value: '<path>', help: 'a file with the key' },
}

/** Options of a generation request. */
export const requestOptions: Options = {
  parameter: {
    type: 'string',
    short: 'p',
    multiple: true,
    value: '<name=value>',
    help: 'a parameter of the model; name:=json for a JSON value',
  },
  axis: { type: 'string', multiple: true, value: '<name=value>', help: 'an axis value, for example version=pro' },
  model: { type: 'string', value: '<modelId>', help: 'one variant by its identifier, instead of axes' },
  image: { type: 'string', multiple: true, value: '<input>', help: 'a path, an https address, or a file_… or gen_… identifier' },
  video: { type: 'string', multiple: true, value: '<input>', help: 'the same, for a video' },
  audio: { type: 'string', multiple: true, value: '<input>', help: 'the same, for audio' },
  model3d: { type: 'string', multiple: true, value: '<input>', help: 'the same, for a 3D model' },
  'max-credits': { type: 'string', value: '<credits>', help: 'refuse a higher cost' },
}

/** More options of a start. */
export const startOptions: Options = {
  reference: { type: 'string', value: '<text>', help: 'your own reference, to find the generation by' },
  metadata: { type: 'string', multiple: true, value: '<name=value>', help: 'your own metadata' },
  webhook: { type: 'string', value: '<address>', help: 'an https address that receives the end of this generation' },
  'webhook-event': {
    type: 'string',
    multiple: true,
    value: '<event>',
    help: 'with --webhook: an end to send, such as generation.failed; default: all three',
  },
  'idempotency-key': { type: 'string', value: '<key>', help: 'identifies this start, so that a repeat costs nothing' },
}

/** Options for waiting. */
export const waitOptions: Options = {
  timeout: { type: 'string', value: '<time>', help: 'how long to wait, for example 90 or 15m; default: an hour' },
}

/** Options for saving a result. */
export const saveOptions: Options = {
  output: { type: 'string', short: 'o', value: '<path>', help: 'write the result to this file or into this folder; - for standard output' },
  force: { type: 'boolean', help: 'overwrite an existing file' },
}
