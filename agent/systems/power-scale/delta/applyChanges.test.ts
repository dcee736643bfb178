import { expect, test } from 'vitest'
import { applyChanges } from './applyChanges.ts'
import { changeOf, type PlacedChange } from './change.ts'
import { ignoreRules } from './rules.ts'

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

function apply(changes: PlacedChange[], ignoredPaths: string[] = []) {
  const { entries, gone, unlisted } = applyChanges(changes, { ...ignoreRules(ignoredPaths), olderAt })
  return {
    known: entries.filter(({ isKnown }) => isKnown).map(({ change }) => change.path),
    fresh: entries.filter(({ isKnown }) => !isKnown).map(({ change }) => change.path),
    gone: gone.map(({ path, movedTo }) => (movedTo === undefined ? path : `${path} > ${movedTo}`)),
    unlisted,
  }
}

test('a move is a pair with one inode; a moved directory takes along what has no entries', () => {
  const changes = [
    change(1, 'MODIFIED', '', 'directory'),
    change(5, 'ADDED PATH_CHANGED', '/b/new', 'directory', 1),
    change(6, 'MODIFIED', '/b/new/file'),
    change(7, 'ADDED', '/b/new/other'),
    change(5, 'REMOVED PATH_CHANGED', '/a/old'),
    change(8, 'REMOVED', '/a/old/gone'),
  ]
  expect(apply(changes)).toEqual({
    known: ['', '/b/new', '/b/new/file'],
    fresh: ['/b/new/other'],
    gone: ['/a/old > /b/new', '/a/old/gone'],
    unlisted: [],
  })
})

test('a file can move to its own path while its directory moves below a new one of the same name', () => {
  const changes = [
    change(2, 'ADDED PATH_CHANGED MODIFIED', '/x/x', 'directory', 1),
    change(3, 'ADDED PATH_CHANGED', '/x/file'),
    change(4, 'ADDED', '/x', 'directory'),
    change(2, 'REMOVED PATH_CHANGED', '/x'),
    change(3, 'REMOVED PATH_CHANGED', '/x/file'),
  ]
  const { known, fresh, gone } = apply(changes)
  expect({ known, fresh, gone }).toEqual({
    known: ['/x/x', '/x/file'],
    fresh: ['/x'],
    gone: ['/x > /x/x', '/x/file > /x/file'],
  })
})

test('what is in a removed directory is gone with it, unless it moved out', () => {
  const changes = [
    change(9, 'ADDED PATH_CHANGED', '/saved'),
    change(4, 'REMOVED', '/a'),
    change(5, 'REMOVED PARENT_REMOVED', '/a/b'),
    change(6, 'REMOVED PARENT_REMOVED', '/a/b/file'),
    change(9, 'REMOVED PATH_CHANGED', '/a/b/kept'),
  ]
  expect(apply(changes).gone).toEqual(['/a', '/a/b/kept > /saved'])
})

test('a replaced path is gone and new', () => {
  const changes = [change(5, 'ADDED', '/a', 'directory'), change(4, 'REMOVED', '/a')]
  expect(apply(changes)).toMatchObject({ known: [], fresh: ['/a'], gone: ['/a'] })
})

test('an older directory without an old half moved in: it is listed with all below it', () => {
  const changes = [
    change(5, 'ADDED', '/in', 'directory', 1),
    change(6, 'ADDED', '/in/file'),
    change(7, 'ADDED PATH_CHANGED', '/in/from here'),
    change(8, 'ADDED', '/in/deep', 'directory', 1),
    change(9, 'ADDED', '/new', 'directory'),
    change(7, 'REMOVED PATH_CHANGED', '/here'),
  ]
  expect(apply(changes)).toEqual({ known: [], fresh: ['/in', '/new'], gone: ['/here'], unlisted: ['/in'] })
})

test('moves to a path that is left out are removals, moves from one are additions', () => {
  const moved = (from: string, to: string) => [
    change(5, 'ADDED PATH_CHANGED', to, 'directory', 1),
    change(5, 'REMOVED PATH_CHANGED', from),
  ]
  expect(apply(moved('/a', '/tmp/a'), ['/tmp'])).toEqual({ known: [], fresh: [], gone: ['/a'], unlisted: [] })
  expect(apply(moved('/tmp/a', '/a'), ['/tmp'])).toEqual({ known: [], fresh: ['/a'], gone: [], unlisted: ['/a'] })
})

test('a directory is listed again where rules may leave out other entries below it', () => {
  const moved = [change(5, 'ADDED PATH_CHANGED', '/b', 'directory', 1), change(5, 'REMOVED PATH_CHANGED', '/a')]
  const listed = (rules: string[]) => rules.filter((rule) => apply(moved, [rule]).unlisted.length > 0)
  const affected = ['/a/tmp', '/b/x/tmp', '/?/tmp', '/**/a/b', 'a/**']
  expect(listed([...affected, '**/tmp', '/c/tmp', '/ab/**/tmp'])).toEqual(affected)
})

test('hard links of one file come and go alone', () => {
  const changes = [
    change(5, 'ADDED HAS_HARDLINKS', '/c'),
    change(5, 'MODIFIED HAS_HARDLINKS', '/b'),
    change(5, 'REMOVED HAS_HARDLINKS', '/a'),
  ]
  expect(apply(changes)).toEqual({ known: ['/c', '/b'], fresh: [], gone: ['/a > /c'], unlisted: [] })
})
