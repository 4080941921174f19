// Who may import whom. The server's modules stand in apps/server/src/modules/order.json, lowest first, and import only
// what stands before them.
import { readFileSync } from 'node:fs'

const MODULES = JSON.parse(
  readFileSync(new URL('./apps/server/src/modules/order.json', import.meta.url), 'utf8'),
)
const SERVER = '^apps/server/src'
const TESTS = '(\\.test\\.tsx?$|/testing/)'

const upwards = MODULES.map((name, index) => ({
  name: `${name}-imports-only-what-stands-before-it`,
  severity: 'error',
  from: { path: `${SERVER}/modules/${name}/`, pathNot: TESTS },
  to: { path: `${SERVER}/modules/(${MODULES.slice(index + 1).join('|') || '-'})/` },
}))

// The folders of the server, lowest first: there is no circle of them.
const FOLDERS = [
  ...['refusal', 'formats', 'concurrency', 'secrets', 'process', 'db', 'adapters', 'http'],
  ...['modules', 'engine', 'jobs', 'settings', 'commands', 'product-tests'],
]

const circles = FOLDERS.map((folder, index) => ({
  name: `${folder}-imports-only-lower-folders`,
  severity: 'error',
  from: { path: `${SERVER}/${folder}/`, pathNot: TESTS },
  to: { path: `${SERVER}/(${FOLDERS.slice(index + 1).join('|') || '-'})/` },
}))

const only = (name, from, to) => ({ name, severity: 'error', from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...upwards,
    ...circles,
    only(
      'every-folder-is-in-the-order',
      { path: `${SERVER}/(?!(${FOLDERS.join('|')})/)[^/]+/` },
      {},
    ),
    // A screen that is loaded when it is needed may lead back to the table that loads it.
    only('no-cycles', {}, { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } }),
    only('no-unresolved', {}, { couldNotResolve: true }),
    only(
      'every-module-is-in-the-order',
      { path: `${SERVER}/modules/(?!(${MODULES.join('|')})/)[^/]+/` },
      {},
    ),
    only(
      'only-wallet-calls-ledger',
      // The checks of the books only read; a job runs them.
      {
        path: `${SERVER}/`,
        pathNot: [`${SERVER}/modules/(wallet|ledger)/`, `${SERVER}/jobs/worker\\.ts$`, TESTS],
      },
      { path: `${SERVER}/modules/ledger/` },
    ),
    only(
      'routes-are-wired-by-their-module-alone',
      { path: '.*', pathNot: [`${SERVER}/modules/[^/]+/module\\.ts$`, TESTS] },
      { path: `${SERVER}/modules/.+/routes\\.ts$`, dependencyTypesNot: ['type-only'] },
    ),
    only(
      'a-module-wires-its-own-routes',
      { path: `${SERVER}/modules/([^/]+)/module\\.ts$` },
      { path: `${SERVER}/modules/.+/routes\\.ts$`, pathNot: `${SERVER}/modules/$1/` },
    ),
    only(
      'modules-are-made-in-product-alone',
      { path: '.*', pathNot: [`${SERVER}/product\\.ts$`, TESTS] },
      { path: `${SERVER}/modules/[^/]+/module\\.ts$` },
    ),
    only(
      'use-cases-know-no-http',
      {
        path: `${SERVER}/modules/`,
        pathNot: [TESTS, '/(module|routes|[a-z-]+-routes)\\.ts$'],
      },
      // A use case may name who calls.
      { path: `${SERVER}/http/(?!caller\\.ts)` },
    ),
    only(
      'folders-do-not-import-the-start',
      { path: `${SERVER}/[^/]+/`, pathNot: TESTS },
      { path: `${SERVER}/(app|main)\\.ts` },
    ),
    only(
      'domain-is-pure',
      { path: '^packages/domain/src/', pathNot: TESTS },
      { pathNot: '^packages/domain/' },
    ),
    only(
      'fairness-needs-hashes-and-curves-alone',
      { path: '^packages/fairness/src/', pathNot: TESTS },
      { pathNot: ['^packages/fairness/', 'node_modules/@noble/'] },
    ),
    only(
      'contract-stands-on-domain',
      { path: '^packages/contract/src/', pathNot: TESTS },
      { pathNot: ['^packages/(contract|domain)/', 'node_modules/zod/'] },
    ),
    only(
      'apps-do-not-import-the-server',
      { path: '^apps/(web|console)/' },
      { path: '^apps/server/' },
    ),
    only('the-lab-is-no-part-of-the-product', { pathNot: '^lab/' }, { path: '^lab/' }),
    only('the-server-imports-no-app', { path: SERVER }, { path: '^apps/(web|console)/' }),
    only(
      'only-data-and-screens-call-the-api',
      { path: '^apps/web/src/', pathNot: ['^apps/web/src/(data|screens)/', TESTS] },
      {
        path: '^packages/contract/src/(client|.*-routes)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    only(
      'ui-knows-no-app-and-no-data',
      { path: '^packages/ui/src/' },
      {
        path: [
          '^apps/',
          '^packages/(contract|fairness)/',
          '^packages/i18n/src/(?!(message|numbers)\\.ts$)',
          'node_modules/(react-router|@tanstack)/',
        ],
      },
    ),
    only(
      'parts-know-no-data',
      { path: '^apps/web/src/parts/', pathNot: TESTS },
      {
        path: [
          '^apps/web/src/(app|data|features|screens)/',
          '^packages/(contract|fairness)/',
          'node_modules/@tanstack/',
        ],
      },
    ),
    only(
      'data-shows-nothing',
      { path: '^apps/web/src/data/', pathNot: TESTS },
      {
        path: [
          '^apps/web/src/(app|screens|features)/',
          '^packages/ui/src/.*\\.tsx$',
          '^apps/web/src/parts/.*\\.tsx$',
        ],
      },
    ),
    only(
      'navigation-is-a-ground-floor',
      { path: '^apps/web/src/navigation/', pathNot: TESTS },
      { path: '^apps/web/src/(app|screens|features)/' },
    ),
    only(
      'the-app-is-the-top-floor',
      { path: '^apps/web/src/(data|navigation|features|screens|i18n)/', pathNot: TESTS },
      { path: '^apps/web/src/app/' },
    ),
    only(
      'rounds-know-no-link',
      { path: '^apps/web/src/data/rounds/', pathNot: TESTS },
      { path: '^apps/web/src/data/live/' },
    ),
    only(
      'features-do-not-import-screens',
      { path: '^apps/web/src/features/' },
      { path: '^apps/web/src/screens/' },
    ),
    only(
      'screens-do-not-import-screens',
      { path: '^apps/web/src/screens/([^/]+)/' },
      { path: '^apps/web/src/screens/([^/]+)/', pathNot: '^apps/web/src/screens/$1/' },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|^apps/[^/]+/dist)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
}
