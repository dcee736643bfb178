import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const folders = ['events', 'server', 'agent', 'client', 'deploy']

/** A copy of the sources that can be compiled. */
async function copySources(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'recipe-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  const isSource = (path: string) => !path.startsWith('client/dist/') && !path.endsWith('.test.ts')
  for (const folder of folders) await cp(folder, join(copy, folder), { recursive: true, filter: isSource })
  for (const file of ['package.json', 'tsconfig.json']) await cp(file, join(copy, file))
  await symlink(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
  return copy
}

const replaceIn = async (file: string, text: string, by: string): Promise<void> => {
  const before = await readFile(file, 'utf8')
  expect(before).toContain(text)
  await writeFile(file, before.replace(text, by))
}

/** The files that do not compile. */
function filesWithErrors(folder: string): Promise<string[]> {
  const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '--noEmit', '--incremental', 'false'], { cwd: folder }, (_, output) =>
      resolve([...new Set([...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))].sort()),
    )
  })
}

const madeUp = `madeUp: {
    group: 'file', label: 'Made-up', one: 'made-up storage', plural: 'made-up storages', types: { MadeUp: 'File' },
    isAvailable: true, scannedBy: 'SCAN_DELL_POWER_SCALE', idsName: 'madeUpIds', listing: 'pages', hasDelta: true,
    scheduledBy: ['SCAN_ALL_DELL_POWER_SCALES', 'SCAN_DELL_POWER_SCALES'], canRelaunch: false, knows: [],
  },
  archiware: {`

test('the compiler names the places that the recipe for a new kind of source marks, and no others', async () => {
  const readme = await readFile('server/sources/README.md', 'utf8')
  const recipe = readme.slice(readme.indexOf('## Add a kind of source'), readme.indexOf('## Add a settings table'))
  const marked = [...recipe.matchAll(/✗ `([^`]+)`/g)].map(([, file = '']) => file)
  const existing = [...recipe.matchAll(/`([a-z][\w/-]*\.ts)`/g)].map(([, file = '']) => file)
  expect(new Set(existing.filter((file) => file.includes('/'))).size).toBeLessThanOrEqual(12)

  const copy = await copySources()
  const kinds = join(copy, 'events/sources/kinds.ts')
  await replaceIn(kinds, "'archiware'] as const", "'archiware', 'madeUp'] as const")
  expect(await filesWithErrors(copy)).toContain('events/sources/kinds.ts')
  await replaceIn(kinds, 'archiware: {', madeUp)
  const order = join(copy, 'events/scans/order.ts')
  const member = "z.object({ kind: z.literal('madeUp'), host: z.string() })"
  await replaceIn(order, "discriminatedUnion('kind', [", `discriminatedUnion('kind', [${member}, `)
  const named = await filesWithErrors(copy)
  expect(['events/sources/kinds.ts', ...named].sort()).toEqual(marked.sort())
})
