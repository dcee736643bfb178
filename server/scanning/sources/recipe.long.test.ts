import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copySources, filesWithErrors, replaceIn } from '#server/platform/testing/sources.ts'

const madeUp = `madeUp: {
    group: 'file', label: 'Made-up', one: 'made-up storage', plural: 'made-up storages', types: { MadeUp: 'File' },
    isAvailable: true, scannedBy: 'SCAN_DELL_POWER_SCALE', idsName: 'madeUpIds', scanCall: 'madeUps', listing: 'pages', hasDelta: true,
    scheduledBy: ['SCAN_ALL_DELL_POWER_SCALES', 'SCAN_DELL_POWER_SCALES'], canRelaunch: false, knows: [],
  },
  archiware: {`

test('the compiler names the places that the recipe for a new kind of source marks, and no others', async () => {
  const readme = await readFile('server/scanning/sources/README.md', 'utf8')
  const recipe = readme.slice(readme.indexOf('## Add a kind of source'), readme.indexOf('## Add a settings table'))
  const marked = [...recipe.matchAll(/✗ `([^`]+)`/g)].map(([, file = '']) => file)
  const existing = [...recipe.matchAll(/`([a-z][\w/-]*\.ts)`/g)].map(([, file = '']) => file)
  expect(new Set(existing.filter((file) => file.includes('/'))).size).toBeLessThanOrEqual(12)

  const copy = await copySources()
  const kinds = join(copy, 'events/sources/kinds.ts')
  await replaceIn(kinds, "'archiware'] as const", "'archiware', 'madeUp'] as const")
  expect(await filesWithErrors(copy)).toContain('events/sources/kinds.ts')
  await replaceIn(kinds, 'archiware: {', madeUp)
  const order = join(copy, 'events/sources/scanOrder.ts')
  const member = "z.object({ kind: z.literal('madeUp'), host: z.string() })"
  await replaceIn(order, "discriminatedUnion('kind', [", `discriminatedUnion('kind', [${member}, `)
  const named = await filesWithErrors(copy)
  expect(['events/sources/kinds.ts', ...named].sort()).toEqual(marked.sort())
})
