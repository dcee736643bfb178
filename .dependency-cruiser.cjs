// Imports go one way; see ARCHITECTURE.md and the README of each top folder.
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '[.]test[.]tsx?$|/testing([.]ts|/)' },
  to: { path: '^(events|server|agent|client|deploy)/', pathNot: allowed },
})

/** Each folder imports itself, those before it and `base`, but nothing else of its parent. */
const layers = (parent, folders, base = '$') =>
  folders.map((folder, index) => ({
    name: `${folder}-is-below-what-follows`,
    comment: `Order of the folders in ${parent}: ${folders.join(', ')}.`,
    severity: 'error',
    from: { path: `^${parent}/${folder}/`, pathNot: '[.]test[.]ts$|/oracle/|/testing([.]ts|/)' },
    to: { path: `^${parent}/(?!(${folders.slice(0, index + 1).join('|')})/|${base})` },
  }))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only('events-import-nothing-else', '^events/', '^events/'),
    only('agent-imports-events', '^agent/', '^(events|agent)/'),
    only('client-imports-events', '^client/', '^(events|client)/'),
    only('server-imports-events', '^server/', '^(events|server)/'),
    {
      name: 'the-contract-runs-everywhere',
      comment: 'Code that opens files, starts processes or makes connections is in events/node.',
      severity: 'error',
      from: { path: '^events/(?!node/)', pathNot: '[.]test[.]ts$|/testing([.]ts|/)' },
      to: { path: '^events/node/' },
    },
    {
      name: 'the-contract-needs-no-node',
      severity: 'error',
      from: { path: '^events/(?!node/)', pathNot: '[.]test[.]ts$|/testing([.]ts|/)' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'domains-meet-at-their-doors',
      comment: 'A domain uses another domain only through its index.ts. Libraries for queries are used file by file.',
      severity: 'error',
      from: { path: '^server/(?!platform/)([^/]+/[^/]+)/', pathNot: '[.]test[.]ts$|/oracle/|/testing([.]ts|/)' },
      to: {
        path: '^server/(?!platform/|content/entries/|content/media/|content/snapshots/reading/)[^/]+/[^/]+/',
        pathNot: ['^server/$1/', '^server/[^/]+/[^/]+/index[.]ts$'],
      },
    },
    // Wings of the server, from the lowest to the highest.
    ...layers('server', [
      'platform',
      'access',
      'workers',
      'content',
      'scanning',
      'questions',
      'messages',
      'work',
      'upkeep',
    ]),
    ...layers(
      'server/content/snapshots',
      ['reading', 'tags', 'duplicates', 'sessions', 'commit', 'live', 'retention'],
      'locks[.]ts',
    ),
    {
      name: 'oracles-are-for-tests',
      comment: 'Test oracles are only used by tests.',
      severity: 'error',
      from: { pathNot: '[.]test[.]ts$|/oracle/|/testing([.]ts|/)|^deploy/tools/hostile/' },
      to: { path: '^server/.*/oracle/' },
    },
    {
      name: 'no-screen-imports-a-screen',
      severity: 'error',
      from: { path: '^client/(?!app/|ui/|parts/)([^/]+)/', pathNot: '[.]test[.]tsx?$|/testing([.]ts|/)' },
      to: { path: '^client/(?!app/|ui/|parts/)([^/]+)/', pathNot: '^client/$1/' },
    },
    {
      name: 'ui-is-below-the-app',
      severity: 'error',
      from: { path: '^client/ui/', pathNot: '[.]test[.]tsx?$' },
      to: { path: '^client/(?!ui/)' },
    },
    {
      name: 'app-is-below-the-parts',
      severity: 'error',
      from: { path: '^client/app/', pathNot: '[.]test[.]tsx?$' },
      to: { path: '^client/parts/' },
    },
    {
      name: 'app-and-ui-know-no-screen',
      severity: 'error',
      from: { path: '^client/(app|ui|parts)/', pathNot: '[.]test[.]tsx?$' },
      to: { path: '^client/(?!app/|ui/|parts/)[^/]+/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphan-imports',
      comment: 'Modules with the prefix virtual: are created by the build.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^client/dist/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
}
