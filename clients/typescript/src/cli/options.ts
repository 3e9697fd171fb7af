import type { Options } from './command.ts'

/** Of every command. */
export const commonOptions: Options = {
  json: { type: 'boolean', help: 'the JSON of the API, one value a line, and nothing else on standard output' },
  quiet: { type: 'boolean', short: 'q', help: 'no words on the way' },
  help: { type: 'boolean', short: 'h', help: 'this page' },
}

/** Of every command that asks the service. */
export const serviceOptions: Options = {
  url: { type: 'string', value: '<address>', help: 'the service; else ATELIER_URL, else http://127.0.0.1:8080' },
  key: {
    type: 'string',
    value: '<key>',
    help: 'better in ATELIER_KEY, since other users see it in the list of processes; - reads it from standard input',
  },
  'key-file': { type: 'string', value: '<path>', help: 'a file with the key' },
}

/** What a generation is to be. */
export const requestOptions: Options = {
  parameter: {
    type: 'string',
    short: 'p',
    multiple: true,
    value: '<name=value>',
    help: 'a parameter of the model; name:=json for one that is not plain',
  },
  axis: { type: 'string', multiple: true, value: '<name=value>', help: 'a choice, for example version=pro' },
  model: { type: 'string', value: '<modelId>', help: 'one variant by its identifier, instead of axes' },
  image: { type: 'string', multiple: true, value: '<input>', help: 'a path, an https address, or a file_… or gen_… identifier' },
  video: { type: 'string', multiple: true, value: '<input>', help: 'the same, for a video' },
  audio: { type: 'string', multiple: true, value: '<input>', help: 'the same, for audio' },
  model3d: { type: 'string', multiple: true, value: '<input>', help: 'the same, for a 3D model' },
  'max-credits': { type: 'string', value: '<credits>', help: 'refuse what costs more' },
}

/** What a start may carry beside that. */
export const startOptions: Options = {
  reference: { type: 'string', value: '<text>', help: 'a word of your own, to find it by' },
  metadata: { type: 'string', multiple: true, value: '<name=value>', help: 'more words of your own' },
  'idempotency-key': { type: 'string', value: '<key>', help: 'names this start, so that a repeat of it costs nothing' },
}

/** How long somebody waits. */
export const waitOptions: Options = {
  timeout: { type: 'string', value: '<time>', help: 'how long to wait, for example 90 or 15m; an hour otherwise' },
}

/** Where a result is written. */
export const saveOptions: Options = {
  output: { type: 'string', short: 'o', value: '<path>', help: 'write the result to this file or into this folder; - for standard output' },
  force: { type: 'boolean', help: 'write over a file that is there' },
}
