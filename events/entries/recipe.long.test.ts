import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copySources, filesWithErrors, replaceIn } from '#server/platform/testing/sources.ts'

const madeUp = `madeUp: {
    kind: 'text', label: 'Made up', column: 'made_up', listed: true, sorts: true, download: 10, condition: 'madeUpText',
  },
  metadata: {`

test('the compiler names the places that the recipe for a new field marks, and no others', async () => {
  const readme = await readFile('events/entries/README.md', 'utf8')
  const recipe = readme.slice(readme.indexOf('## Add a field'))
  const marked = [...recipe.matchAll(/✗ `([^`]+)`/g)].map(([, file = '']) => file)
  const steps = [...recipe.matchAll(/^\d\. .*$/gm)]
  expect(steps.length).toBeLessThanOrEqual(6)

  const copy = await copySources()
  await replaceIn(join(copy, 'events/entries/fields.ts'), 'metadata: {', madeUp)
  await replaceIn(
    join(copy, 'events/scans/entryRow.ts'),
    "['partial', 'Bool']",
    "['made_up', 'String'], ['partial', 'Bool']",
  )
  expect(await filesWithErrors(copy)).toEqual(marked.toSorted())
})
