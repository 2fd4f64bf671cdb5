// The walls of the house (docs/ARCHITECTURE.md). One array makes the order of the server's modules.
const order = [
  'platform',
  'organisations',
  'api-keys',
  'credits',
  'media',
  'sharing',
  'webhooks',
  'branches',
  'slots',
  'appointments',
  'agents',
  'voice',
  'calls',
  'hooks',
]
const moduleOf = (names) => `^server/src/(${names.join('|')})/`
const tests = '\\.test\\.tsx?$'

const onlyToTheLeft = order.slice(0, -1).map((name, index) => ({
  name: `${name}-imports-only-to-its-left`,
  severity: 'error',
  from: { path: moduleOf([name]) },
  to: { path: moduleOf(order.slice(index + 1)) },
}))

const privateToTheirModule = order.map((name) => ({
  name: `stores-and-routes-of-${name}-are-private`,
  severity: 'error',
  // app.ts is where routes are plugged in; nobody plugs in a store.
  from: { path: '^server/src/', pathNot: [moduleOf([name]), '^server/src/app\\.ts$'] },
  to: { path: `^server/src/${name}/.*\\.(store|routes)\\.ts$` },
}))

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'contract-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(server|sdk|dashboard)/' },
    },
    {
      name: 'sdk-and-dashboard-import-only-contract',
      severity: 'error',
      from: { path: '^(sdk|dashboard)/' },
      to: { path: '^(server|sdk|dashboard)/', pathNot: ['^$1/'] },
    },
    {
      name: 'sdk-has-no-runtime-dependency',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: tests },
      to: { path: 'node_modules', dependencyTypesNot: ['type-only'] },
    },
    { name: 'nobody-imports-server', severity: 'error', from: { pathNot: '^server/' }, to: { path: '^server/' } },
    {
      name: 'server-imports-no-other-house',
      severity: 'error',
      from: { path: '^server/src/', pathNot: tests },
      to: { path: '^(sdk|dashboard)/' },
    },
    {
      name: 'modules-do-not-know-the-composition',
      severity: 'error',
      from: { path: moduleOf(order) },
      to: { path: '^server/src/([^/]+\\.ts$|cli/|adapters/)', pathNot: [] },
    },
    ...onlyToTheLeft,
    ...privateToTheirModule,
    {
      name: 'http-framework-only-at-the-edge',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: ['\\.routes\\.ts$', '^server/src/(app|main)\\.ts$', '^server/src/platform/http', tests],
      },
      to: { path: 'node_modules/(fastify|@fastify|@scalar)/' },
    },
    {
      name: 'database-client-only-in-platform',
      severity: 'error',
      from: { path: '^server/src/', pathNot: ['^server/src/platform/', tests] },
      to: { path: 'node_modules/(pg|@types/pg)/' },
    },
    {
      name: 'adapters-only-from-main-and-tests',
      severity: 'error',
      from: { path: '^server/src/', pathNot: ['^server/src/main\\.ts$', '^server/src/adapters/', tests] },
      to: { path: '^server/src/adapters/' },
    },
    {
      name: 'adapters-import-ports-never-services',
      severity: 'error',
      from: { path: '^server/src/adapters/' },
      to: { path: '\\.(service|store|routes)\\.ts$' },
    },
    {
      name: 'shipped-code-imports-no-test',
      severity: 'error',
      from: { path: '/src/', pathNot: tests },
      to: { path: ['^server/test/', tests] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
