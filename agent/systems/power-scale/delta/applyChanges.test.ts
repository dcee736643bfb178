import { expect, test } from 'vitest'
import { applyChanges } from './applyChanges.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { forever } from '../../testing.ts'
import { changeOf, newChangeRecords, type PlacedChange } from './change.ts'
import { ignoreRules } from './rules.ts'
import { newSpillFile } from '../../sortedRecords.ts'

const olderAt = 1_000

/** A change such as `change(5, 'ADDED PATH_CHANGED', '/a', 'directory')`. */
function change(lin: number, types: string, path: string, fileType = 'regular', btime = olderAt + 1): PlacedChange {
  const removed = types.includes('REMOVED')
  const entry = {
    lin,
    parent_lin: 1,
    path,
    file_type: removed ? '(REMOVED)' : fileType,
    change_types: types.split(' ').map((type) => `ENTRY_${type}`),
    size: lin,
    btime: { sec: btime },
  }
  return changeOf(entry) as PlacedChange
}

async function apply(changes: PlacedChange[], ignoredPaths: string[] = []) {
  const spill = newSpillFile(testFolder('spill'), Error)
  const records = newChangeRecords(spill)
  changes.forEach(records.add)
  const applied = await applyChanges(records, { ...ignoreRules(ignoredPaths), olderAt, spill, signal: forever })
  const entries = [...applied.entries()]
  const gone = [...applied.gone()]
  return {
    known: entries.filter(({ isKnown }) => isKnown).map(({ change }) => change.path),
    fresh: entries.filter(({ isKnown }) => !isKnown).map(({ change }) => change.path),
    gone: gone.map(({ path, movedTo }) => (movedTo === undefined ? path : `${path} > ${movedTo}`)),
    unlisted: applied.unlisted,
  }
}

test('a move is a pair with one inode; a moved directory takes along what has no entries', async () => {
  const changes = [
    change(1, 'MODIFIED', '', 'directory'),
    change(5, 'ADDED PATH_CHANGED', '/b/new', 'directory', 1),
    change(6, 'MODIFIED', '/b/new/file'),
    change(7, 'ADDED', '/b/new/other'),
    change(5, 'REMOVED PATH_CHANGED', '/a/old'),
    change(8, 'REMOVED', '/a/old/gone'),
  ]
  expect(await apply(changes)).toEqual({
    known: ['', '/b/new', '/b/new/file'],
    fresh: ['/b/new/other'],
    gone: ['/a/old > /b/new', '/a/old/gone'],
    unlisted: [],
  })
})

test('a file can move to its own path while its directory moves below a new one of the same name', async () => {
  const changes = [
    change(2, 'ADDED PATH_CHANGED MODIFIED', '/x/x', 'directory', 1),
    change(3, 'ADDED PATH_CHANGED', '/x/file'),
    change(4, 'ADDED', '/x', 'directory'),
    change(2, 'REMOVED PATH_CHANGED', '/x'),
    change(3, 'REMOVED PATH_CHANGED', '/x/file'),
  ]
  const { known, fresh, gone } = await apply(changes)
  expect({ known, fresh, gone }).toEqual({
    known: ['/x/file', '/x/x'],
    fresh: ['/x'],
    gone: ['/x > /x/x', '/x/file > /x/file'],
  })
})

test('removes the contents of a removed directory, except what moved out', async () => {
  const changes = [
    change(9, 'ADDED PATH_CHANGED', '/saved'),
    change(4, 'REMOVED', '/a'),
    change(5, 'REMOVED PARENT_REMOVED', '/a/b'),
    change(6, 'REMOVED PARENT_REMOVED', '/a/b/file'),
    change(9, 'REMOVED PATH_CHANGED', '/a/b/kept'),
  ]
  expect((await apply(changes)).gone).toEqual(['/a', '/a/b/kept > /saved'])
})

test('a replaced path is gone and new', async () => {
  const changes = [change(5, 'ADDED', '/a', 'directory'), change(4, 'REMOVED', '/a')]
  expect(await apply(changes)).toMatchObject({ known: [], fresh: ['/a'], gone: ['/a'] })
})

test('an older directory without an old half moved in: it is listed with all below it', async () => {
  const changes = [
    change(5, 'ADDED', '/in', 'directory', 1),
    change(6, 'ADDED', '/in/file'),
    change(7, 'ADDED PATH_CHANGED', '/in/from here'),
    change(8, 'ADDED', '/in/deep', 'directory', 1),
    change(9, 'ADDED', '/new', 'directory'),
    change(7, 'REMOVED PATH_CHANGED', '/here'),
  ]
  expect(await apply(changes)).toEqual({ known: [], fresh: ['/in', '/new'], gone: ['/here'], unlisted: ['/in'] })
})

test('moves to a path that is left out are removals, moves from one are additions', async () => {
  const moved = (from: string, to: string) => [
    change(5, 'ADDED PATH_CHANGED', to, 'directory', 1),
    change(5, 'REMOVED PATH_CHANGED', from),
  ]
  expect(await apply(moved('/a', '/tmp/a'), ['/tmp'])).toEqual({ known: [], fresh: [], gone: ['/a'], unlisted: [] })
  expect(await apply(moved('/tmp/a', '/a'), ['/tmp'])).toEqual({ known: [], fresh: ['/a'], gone: [], unlisted: ['/a'] })
})

test('a directory is listed again where rules may leave out other entries below it', async () => {
  const moved = [change(5, 'ADDED PATH_CHANGED', '/b', 'directory', 1), change(5, 'REMOVED PATH_CHANGED', '/a')]
  for (const rule of ['/a/tmp', '/b/x/tmp', '/?/tmp', '/**/a/b', 'a/**'])
    expect((await apply(moved, [rule])).unlisted).toEqual(['/b'])
  for (const rule of ['**/tmp', '/c/tmp', '/ab/**/tmp']) expect((await apply(moved, [rule])).unlisted).toEqual([])
})

test('hard links of one file are added and removed alone', async () => {
  const changes = [
    change(5, 'ADDED HAS_HARDLINKS', '/c'),
    change(5, 'MODIFIED HAS_HARDLINKS', '/b'),
    change(5, 'REMOVED HAS_HARDLINKS', '/a'),
  ]
  expect(await apply(changes)).toEqual({ known: ['/b', '/c'], fresh: [], gone: ['/a > /c'], unlisted: [] })
})
