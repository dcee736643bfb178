import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { actionJobTypes } from '#events/actions/actions.ts'
import { copySources, filesWithErrors, replaceIn } from '#server/platform/testing/sources.ts'

test('the compiler names the places that the recipe for a new action marks, and no others', async () => {
  const readme = await readFile('server/work/actions/README.md', 'utf8')
  const recipe = readme.slice(readme.indexOf('## Add an action'), readme.indexOf('Calls, the plan, the job'))
  const marked = [...recipe.matchAll(/✗ `([^`]+)`/g)].map(([, file = '']) => file)
  const existing = [...recipe.matchAll(/`([a-z][\w/-]*\.ts)`/g)].map(([, file = '']) => file)
  expect(new Set(existing).size).toBeLessThanOrEqual(6)

  const copy = await copySources()
  const edit = (file: string, text: string, more: string) => replaceIn(join(copy, file), text, text + more)
  const row = `
  madeUp: action({
    jobTypes: { files: 'MADE_UP_FILES', search: 'MADE_UP_SEARCH_RESULT' },
    labels: { files: 'Made up', search: 'Made up from search results' },
    needs: 'scans.start',
    options: z.strictObject({ speed: z.int() }),
    listing: byPath,
  }),`
  await edit('events/actions/actions.ts', '\nexport const actions = {', row)
  await edit('events/actions/orders.ts', '\n  UploadOrder,', "\n  z.object({ kind: z.literal('madeUp') }),")
  expect(['events/actions/actions.ts', ...(await filesWithErrors(copy))].sort()).toEqual(marked.sort())

  // With its handler and its opener, everything compiles.
  const handler = `madeUp: {
    plan: (_, { speed }) => ({ plan: {}, parts: [{ part: speed, system: 0, serverId: 1 }] }),
    order: async () => ({ kind: 'madeUp' }),
  }, `
  await edit('server/work/actions/plans/handlers.ts', 'ActionHandler<A> } = { ', handler)
  const opener = "\n  madeUp: () => Promise.reject(new Error('made up')),"
  await edit('agent/actions/index.ts', 'const openers: { [K in SystemKind]: OpenAction<K> } = {', opener)
  expect(await filesWithErrors(copy)).toEqual([])
})

test('only the table of actions names their job types', async () => {
  const files = globSync('{agent,client,events,server}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.|\/testing\//.test(file),
  )
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await readFile(file, 'utf8') })))
  const named = texts.filter(({ text }) => actionJobTypes.some((type) => text.includes(`'${type}'`)))
  expect(named.map(({ file }) => file)).toEqual(['events/actions/actions.ts'])
})
