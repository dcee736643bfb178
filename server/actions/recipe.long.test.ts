import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copySources, filesWithErrors, replaceIn } from '#server/platform/testing/sources.ts'

test('the compiler names the places that the recipe for a new action marks, and no others', async () => {
  const readme = await readFile('server/actions/README.md', 'utf8')
  const recipe = readme.slice(readme.indexOf('## Add an action'), readme.indexOf('## Decisions'))
  const marked = [...recipe.matchAll(/✗ `([^`]+)`/g)].map(([, file = '']) => file)
  const existing = [...recipe.matchAll(/`([a-z][\w/-]*\.ts)`/g)].map(([, file = '']) => file)
  expect(new Set(existing).size).toBeLessThanOrEqual(8)

  const copy = await copySources()
  const edit = (file: string, text: string, more: string) => replaceIn(join(copy, file), text, text + more)
  await edit('events/jobs/types.ts', "\n  'ICONIK_UPLOAD',", "\n  'MADE_UP',")
  await edit('events/jobs/types.ts', "  ICONIK_UPLOAD: 'Iconik upload',", "\n  MADE_UP: 'Made up',")
  expect(await filesWithErrors(copy)).toEqual(
    expect.arrayContaining(['events/jobs/payloads.ts', 'events/actions/plans.ts']),
  )
  await edit('events/jobs/payloads.ts', '  ICONIK_UPLOAD: UploadPayload,', '\n  MADE_UP: UploadPayload,')
  await edit('events/actions/plans.ts', '  ICONIK_UPLOAD: upload,', '\n  MADE_UP: upload,')
  await edit('events/actions/orders.ts', '\n  UploadOrder,', "\n  z.object({ kind: z.literal('madeUp') }),")
  const named = await filesWithErrors(copy)
  const given = ['events/jobs/types.ts', 'events/jobs/payloads.ts', 'events/actions/plans.ts']
  expect([...given, ...named].sort()).toEqual(marked.sort())
})
