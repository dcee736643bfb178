import { expect, test } from 'vitest'
import { crowdedFolders, fragments } from './folders.ts'

const short = 'export const a = 1\n'
const long = short.repeat(31)
const importing = (...specifiers: string[]) => specifiers.map((file) => `import { a } from '${file}'\n`).join('') + long

test('a folder may hold twenty files and no more', () => {
  const files = Array.from({ length: 20 }, (_, i) => ({ path: `server/a/${i}.ts`, text: long }))
  expect(crowdedFolders(files)).toEqual([])
  expect(crowdedFolders([...files, { path: 'server/a/b.ts', text: long }])).toEqual(['server/a: 21 files, at most 20'])
})

test('a short file that only one neighbor imports belongs into it', () => {
  const sources = [
    { path: 'server/a/list.ts', text: importing('./row.ts') },
    { path: 'server/a/row.ts', text: short },
  ]
  expect(fragments(sources)).toEqual(['server/a/row.ts: belongs into list.ts, which alone imports it'])
})

test('a short file may be separate if two files, another folder or an index import it, or if it is imported lazily', () => {
  const sources = [
    { path: 'server/a/list.ts', text: importing('./row.ts') + "const b = () => import('./lazy.ts')\n" },
    { path: 'server/a/change.ts', text: importing('#server/a/row.ts', './changes.state.ts') },
    { path: 'server/a/index.ts', text: "export { a } from './door.ts'\n" },
    { path: 'server/b/main.ts', text: importing('#server/a/far.ts') },
    ...['row.ts', 'lazy.ts', 'changes.state.ts', 'door.ts', 'far.ts'].map((name) => ({
      path: `server/a/${name}`,
      text: short,
    })),
  ]
  expect(fragments(sources)).toEqual([])
})

test('a long file may be separate', () => {
  const sources = [
    { path: 'server/a/list.ts', text: importing('./row.ts') },
    { path: 'server/a/row.ts', text: long },
  ]
  expect(fragments(sources)).toEqual([])
})
