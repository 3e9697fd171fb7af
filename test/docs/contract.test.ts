import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variables } from '../../src/config/variables.ts'
import { vendorVariables } from '../../src/config/vendorVariables.ts'
import { failureTable } from '../../src/contract/failures/failures.ts'
import { limits } from '../../src/contract/limits.ts'
import { refusalTable } from '../../src/contract/refusals/refusals.ts'
import { lockReasons, priceUnits } from '../../src/contract/shapes/family.ts'
import { tasks } from '../../src/contract/shapes/tasks.ts'
import { scopes } from '../../src/entities/ApiKey.ts'
import { auditActions } from '../../src/entities/AuditEntry.ts'
import { webhookEvents } from '../../src/entities/WebhookSubscription.ts'
import { tools } from '../../src/mcp/tools.ts'
import { vendors } from '../../src/providers/vendors.ts'
import { endpoints } from '../../src/rest/endpoints.ts'
import { schema } from '../../src/schema/schema.ts'

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs/contract.md'), 'utf8')

const named = new Set([...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) => [text, ...text.split(/[\s(,=:{}]+/)]))

/** Pages of the admin UI, by their addresses. */
function screens(): string[] {
  const text = readFileSync(join(root, 'src/admin-ui/paths.ts'), 'utf8')
  const [, table = ''] = /teamScreens = \{(.*?)\n\}/s.exec(text) ?? []
  return [...table.matchAll(/^ {2}(\w+): \{/gm)].map(([, name = '']) => name)
}

function commands(): string[] {
  const usage = execFileSync(process.execPath, [join(root, 'src/cli/main.ts'), '--help'], { encoding: 'utf8' })
  return [...usage.matchAll(/^ {2}(\w+) /gm)].map(([, name = '']) => name)
}

const failures = Object.values(failureTable).flatMap(({ reasons }) => Object.entries(reasons as Record<string, { hint: string }>))

const everything: Record<string, readonly string[]> = {
  variables: Object.keys({ ...variables, ...vendorVariables(vendors) }),
  refusals: Object.keys(refusalTable),
  'failure classes': Object.keys(failureTable),
  'failure reasons': failures.map(([reason]) => reason),
  'failure hints': failures.map(([, { hint }]) => hint),
  tasks,
  'lock reasons': lockReasons,
  'price units': priceUnits,
  scopes,
  events: webhookEvents,
  'audit actions': auditActions,
  tools: tools.map(({ name }) => name),
  mutations: Object.keys(schema.getMutationType()?.getFields() ?? {}),
  queries: Object.keys(schema.getQueryType()?.getFields() ?? {}),
  screens: screens(),
  commands: commands(),
}

test.each(Object.entries(everything))('the contract names all %s', (_what, names) => {
  expect(names.length).toBeGreaterThan(2)
  expect(names.filter((name) => !named.has(name))).toEqual([])
})

test('the contract names every endpoint', () => {
  const isNamed = (request: string) => page.includes(`\`${request}\``) || page.includes(`\`${request}?`)
  const requests = endpoints(() => ({})).map(({ method, path }) => `${method} ${path}`)
  expect(requests.filter((request) => !isNamed(request))).toEqual([])
})

test('the limits that the contract states are those of the service', () => {
  const [, table = ''] = /^## Limits\n(.*?)^## /ms.exec(page) ?? []
  const stated = new Map([...table.matchAll(/^\| (.*?) \| (.*?) \|/gm)].map(([, what = '', limit = '']) => [what, limit]))
  const grouped = (number: number) => number.toLocaleString('en')
  const expected = {
    'requests per minute, per user': grouped(limits.requestsPerMinute),
    'requests in progress, per user': grouped(limits.requestsInProgress),
    'open generations of a team in a family': grouped(limits.openGenerations),
    'request body': `${limits.requestBodyBytes / 1024} KiB`,
    'JSON nesting': grouped(limits.jsonDepth),
    file: `${grouped(limits.fileBytes)} bytes`,
    'decoded image': `${grouped(limits.imagePixelsMax)} pixels`,
    'unused files of a team': `${grouped(limits.unusedFiles)} and ${limits.unusedFilesBytes / 2 ** 30} GiB`,
    'redirects of a link': grouped(limits.linkRedirectsMax),
    prompt: `${grouped(limits.promptCharacters)} code points`,
    'media inputs of a request': grouped(limits.mediaInputs),
    '`reference`, `metadata`': `${limits.referenceCharacters}; ${limits.metadataEntries} × ${limits.metadataNameCharacters} × ${limits.metadataValueCharacters} code points`,
    '`maxCredits`, every amount': grouped(limits.maxCreditsCeiling),
    'page of a list': grouped(limits.historyPageItems),
    '`wait`': `${limits.waitSecondsMax} s`,
    '`waitSeconds` of an agent': `${limits.agentWaitSecondsMax} s`,
    'event stream': `${limits.eventStreamSecondsMax} s`,
    '`Idempotency-Key`': `${limits.idempotencyKeyCharacters} characters, ${limits.idempotencyHours} hours`,
    quote: `${limits.quoteMinutes} minutes`,
    'upload address': `${limits.uploadAddressMinutes} minutes, one file`,
    'result link': `${limits.resultLinkHours} hours; ${limits.shortResultLinkMinutes} minutes for people and tools`,
    'usage span': `${limits.usageDays} days`,
    'webhook answer': `${limits.webhookAnswerSeconds} s`,
    'webhook retries': grouped(limits.webhookRetries),
    'attempts at once, per subscription': grouped(limits.webhookInFlightPerSubscription),
    'overlap of a key, of a webhook secret': `${limits.keyOverlapHoursMax} hours, ${limits.webhookSecretOverlapHoursMax} hours`,
    'sessions of a person': grouped(limits.sessionsPerUser),
    'messages in one MCP request': grouped(limits.agentBatchMessages),
  }
  expect(Object.fromEntries(Object.keys(expected).map((what) => [what, stated.get(what)]))).toEqual(expected)
})
