import { expect, test } from 'vitest'
import { ChangedFolders } from './changedFolders.ts'

const due = (folders: ChangedFolders, nowMs: number) => Array.from(folders.take(nowMs), ({ key }) => key)

test('a folder is listed after a second without a change', () => {
  const folders = new ChangedFolders()
  folders.add('a', 0)
  folders.add('a', 900)
  expect([due(folders, 1_800), due(folders, 1_900), due(folders, 9_000)]).toEqual([[], ['a'], []])
})

test('a folder that changes all the time is listed each two seconds, or less often the longer that takes, up to ten', () => {
  for (const [tookMs, times] of [
    [1, 30],
    [50, 12],
    [5_000, 6],
  ] as const) {
    const folders = new ChangedFolders()
    let listed = 0
    for (let nowMs = 0; nowMs < 60_000; nowMs += 100) {
      folders.add('a', nowMs)
      for (const { key } of folders.take(nowMs)) {
        folders.listed(key, tookMs, nowMs)
        listed++
      }
    }
    expect([tookMs, Math.abs(listed - times) <= 2]).toEqual([tookMs, true])
  }
})

test('keeps how long a change waits, also if it was not shown', () => {
  const folders = new ChangedFolders()
  folders.add('a', 100)
  const [taken] = folders.take(5_000)
  expect(folders.oldestMs()).toBe(Infinity)
  folders.add('a', 5_500)
  if (taken) folders.putBack(taken)
  expect(folders.oldestMs()).toBe(100)
})

test('another session lists what changed since its scan began, and says if it does not know all of it', () => {
  const folders = new ChangedFolders({ max: 4 })
  for (const [n, key] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
    folders.add(key, n)
    expect(due(folders, 2_000)).toEqual([key])
  }
  expect(folders.listSince(3)).toBe(true)
  expect(due(folders, 9_000)).toEqual(['d', 'e', 'f'])
  expect(folders.listSince(1)).toBe(false)
  expect(due(folders, 9_000)).toEqual(['d', 'e', 'f'])
})

test('is full when more folders wait than it remembers', () => {
  const folders = new ChangedFolders({ max: 2 })
  folders.add('a', 0)
  expect(folders.isFull()).toBe(false)
  folders.add('b', 0)
  expect(folders.isFull()).toBe(true)
})
