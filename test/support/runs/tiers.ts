import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const tiers = ['unit', 'service', 'browser', 'drills'] as const
export type Tier = (typeof tiers)[number]

/**
 * Beginnings of paths: tests of whole processes, vendors, clients in other languages, faults, hostile transport, migrations beside other
 * sessions, media drawn in software, the largest uploads, rarely used screens, and flows that are long or need a worker or a shell.
 */
const drills = [
  'test/admin-ui/api/client',
  'test/admin-ui/contractNames',
  'test/admin-ui/flows/',
  'test/admin-ui/lighthouse',
  'test/admin-ui/pages/agents/AgentsPage',
  'test/admin-ui/pages/history/inputs/GenerationInputs',
  'test/admin-ui/pages/history/media/Media',
  'test/admin-ui/pages/history/stills/ResultPicture',
  'test/admin-ui/pages/history/stills/useRetriedLink',
  'test/admin-ui/pages/playground/InputField',
  'test/admin-ui/pages/settings/SettingsPage',
  'test/admin-ui/pages/team/ConsequenceList',
  'test/admin-ui/pages/team/Groups',
  'test/admin-ui/pages/usage/UsageChart',
  'test/admin-ui/shell/firstFrame',
  'test/admin-ui/shell/palette/CommandPalette',
  'test/admin-ui/ui/table/RangeFilters',
  'test/admin-ui/ui/table/useUrlFilters',
  'test/bin/',
  'test/cli/boot/waitForSignal',
  'test/cli/commands/backupNamedDatabase',
  'test/cli/commands/health',
  'test/cli/start',
  'test/clients/',
  'test/database/embedded/embeddedPostgres',
  'test/database/embedded/serviceRole',
  'test/database/migrations/migrateBesideVacuum',
  'test/database/migrations/outsideTransaction',
  'test/database/pool/poolTls',
  'test/docs/quickstart',
  'test/docs/webhooks',
  'test/domain/generations/start/startRetries',
  'test/faults/',
  'test/fuzz/',
  'test/http/databaseOutage',
  'test/http/docs/browser/',
  'test/http/hostileTransport',
  'test/http/pages/graphiqlBrowser',
  'test/http/proxies',
  'test/jobs/runners/workerReplaced',
  'test/mcp/fuzz',
  'test/mcp/uploads',
  'test/media/inspectHostile',
  'test/media/inspectorLimits',
  'test/media/workers/',
  'test/providers/conformance',
  'test/providers/sandbox/',
  'test/rest/files/uploadHostile',
  'test/rest/files/uploadLimits',
  'test/scripts/release/artefacts/buildArtefacts',
  'test/scripts/release/artefacts/versionedPage',
  'test/scripts/release/artefacts/writeHelmChartForHelm',
  'test/storage/storageMemory',
  'test/support/browser/browserChecks',
]

/** Beginnings of paths: tests of the built admin UI. */
const builds = ['test/gates/firstLoad', 'test/gates/mantineStyles']

/** A test that imports one of these, directly or through test/support, needs what it stands for; the first that fits decides. */
const needs: readonly (readonly [Tier, RegExp])[] = [
  ['browser', /^test\/support\/browser\/browser\.ts$/],
  ['drills', /^test\/(?:node_modules\/|support\/conformance\/|support\/processes\/command\.ts$)/],
  ['service', /^test\/support\/database\/database\.ts$/],
]

const staticImport = /^\s*(?:import|export)\s(?!type\s)[^'"]*?['"]([^'"]+)['"]/gm

export type TestFile = {
  path: string
  tier: Tier /** The file itself and all test code that it imports, also indirectly. */
  imports: string[]
}

const drillPackageFolder = 'test/node_modules/'

/** The packages of `test/package.json`, which are installed for drills only. */
function drillPackagesOf(root: string): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(join(root, 'test/package.json'), 'utf8')) as { devDependencies: Record<string, string> }
  return new Set(Object.keys(manifest.devDependencies))
}

/** The test files below `root` by tier. A file belongs to the first tier whose helpers it imports, so no list is needed. */
export function readTiers(root: string): Record<Tier, string[]> {
  const byTier: Record<Tier, string[]> = { unit: [], service: [], browser: [], drills: [] }
  for (const { path, tier } of readTestFiles(root)) byTier[tier].push(path)
  return byTier
}

export function readTestFiles(root: string): TestFile[] {
  const drillPackages = drillPackagesOf(root)
  const imports = new Map<string, string[]>()
  for (const file of globSync('test/**/*.{ts,tsx}', { cwd: root, exclude: ['test/node_modules'] })) {
    const text = readFileSync(join(root, file), 'utf8')
    const specifiers = [...text.matchAll(staticImport)].map(([, specifier = '']) => specifier)
    imports.set(
      file,
      specifiers.flatMap((specifier) => {
        if (specifier.startsWith('.')) return [join(dirname(file), specifier)]
        return drillPackages.has(specifier) ? [`${drillPackageFolder}${specifier}`] : []
      }),
    )
  }
  const tests = [...imports.keys()].filter((path) => path.endsWith('.test.ts'))
  return tests.map((path) => {
    const reached = new Set([path])
    for (const each of reached)
      for (const next of imports.get(each) ?? []) if (imports.has(next) || next.startsWith(drillPackageFolder)) reached.add(next)
    return { path, tier: tierOf(path, [...reached]), imports: [...reached] }
  })
}

function tierOf(file: string, imports: readonly string[]): Tier {
  if (drills.some((beginning) => file.startsWith(beginning))) return 'drills'
  if (builds.some((beginning) => file.startsWith(beginning))) return 'browser'
  return needs.find(([, pattern]) => imports.some((path) => pattern.test(path)))?.[0] ?? 'unit'
}
