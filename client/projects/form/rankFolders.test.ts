import { expect, test } from 'vitest'
import { rankFolders } from './projectForm.ts'

const folder = (path: string, size: number) => ({ path, fullPath: `/data${path}`, size })
const ranked = (typed: string, ...folders: ReturnType<typeof folder>[]) =>
  rankFolders(folders, typed).map(({ path }) => path)

test('the folder with the typed name is first, then names that start with it, each by size', () => {
  const sdks = ['/sdk/lib-aurora-a', '/sdk/lib-aurora-b'].map((path) => folder(path, 30))
  const rest = [folder('/aurora-old', 9), folder('/x/Aurora', 5), folder('/aurora', 7_000)]
  expect(ranked('aurora', ...sdks, ...rest)).toEqual([
    '/aurora',
    '/x/Aurora',
    '/aurora-old',
    '/sdk/lib-aurora-a',
    '/sdk/lib-aurora-b',
  ])
})

test('a typed path is found in both forms, also its end', () => {
  const folders = [folder('/films/rough-cuts', 900), folder('/films/rough', 1)]
  for (const typed of ['/films/rough', '/data/films/rough/', 'films/rough'])
    expect(ranked(typed, ...folders)).toEqual(['/films/rough', '/films/rough-cuts'])
})
