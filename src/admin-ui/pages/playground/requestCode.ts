import { shellQuote } from '../../ui/display/shellQuote.ts'
import { startAndWait } from '../catalog/curlCommands.ts'
import type { GenerationBody } from '../catalog/generationBody.ts'

/** The ways to send the same request, in the order in which they are offered. */
export const languages = ['curl', 'TypeScript', 'Python', 'Command line'] as const
export type Language = (typeof languages)[number]

/** A program that sends the request with a key from the environment. It never costs more than `maxCredits`. */
export function requestCode(language: Language, { origin, body, maxCredits }: CodeRequest): string {
  const request = maxCredits === undefined ? body : { ...body, maxCredits }
  switch (language) {
    case 'curl':
      return startAndWait(origin, request)
    case 'TypeScript':
      return typescript(origin, request)
    case 'Python':
      return python(origin, request)
    case 'Command line':
      return commandLine(origin, request)
  }
}

export type CodeRequest = { origin: string; body: GenerationBody; maxCredits: number | undefined }
type Request = GenerationBody & { maxCredits?: number }

function typescript(origin: string, request: Request): string {
  return [
    `import { Atelier, expectReady } from '@atelier/client'`,
    '',
    '// Reads the key from ATELIER_KEY.',
    `const atelier = new Atelier({ baseUrl: ${JSON.stringify(origin)} })`,
    '',
    `const ended = await atelier.run(${JSON.stringify(request, null, 2)})`,
    `await atelier.download(expectReady(ended), { to: 'result' })`,
  ].join('\n')
}

function python(origin: string, request: Request): string {
  const lines = Object.entries(request).map(([name, value]) => `    ${snakeCase(name)}=${pythonValue(value)},`)
  return [
    'from atelier_client import Atelier, expect_ready',
    '',
    '# Reads the key from ATELIER_KEY.',
    `atelier = Atelier(base_url=${JSON.stringify(origin)})`,
    '',
    'ended = atelier.run(',
    ...lines,
    ')',
    'atelier.download(expect_ready(ended), to="result")',
  ].join('\n')
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** JSON as a Python literal. Strings of JSON are strings of Python, except for characters beyond the basic plane. */
function pythonValue(value: unknown): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}

function commandLine(origin: string, request: Request): string {
  const { familyId, modelId, prompt, parameters = {}, imageIds = [], videoId, videoIds = [], audioIds = [], model3dIds = [] } = request
  const videos = videoId === undefined ? videoIds : [videoId]
  const words = [
    'atelier-client run',
    shellQuote(familyId),
    // After `--`, a prompt may begin with a dash.
    ...Object.entries(parameters).map(([name, value]) => `-p ${shellQuote(`${name}:=${JSON.stringify(value)}`)}`),
    `--model ${shellQuote(modelId)}`,
    ...inputs('image', imageIds),
    ...inputs('video', videos),
    ...inputs('audio', audioIds),
    ...inputs('model3d', model3dIds),
    ...(request.maxCredits === undefined ? [] : [`--max-credits ${request.maxCredits}`]),
    `--url ${shellQuote(origin)}`,
    ...(prompt === undefined ? [] : [`-- ${shellQuote(prompt)}`]),
  ]
  return words.join(' \\\n  ')
}

function inputs(medium: string, ids: readonly string[]): string[] {
  return ids.map((id) => `--${medium} ${shellQuote(id)}`)
}
