import { expect, test } from 'vitest'
import type { Project } from '#events/projects/calls.ts'
import { sizeParts } from './sizeParts.ts'
import { ringsOf } from './rings.ts'

/** A project of two storages that uses this percentage of 1000 bytes. */
function at(percent: number) {
  const sizes = [percent * 6, percent * 4]
  const projectShares = sizes.map((sizeOfFiles, place) => ({
    volumeId: place + 1,
    volumeName: `v${place}`,
    type: 'crawl.files',
    sizeOfFiles,
  }))
  const project = { allocatedSize: 1_000, sizeOfFiles: percent * 10, projectShares } as unknown as Project
  return ringsOf(sizeParts(project, '2'), percent / 100)
}
const roles = (percent: number) => at(percent).map(({ slices }) => slices.map(({ role }) => role))
const red = ['usage-critical']
const filled = (percent: number) => at(percent).map(({ slices }) => slices.at(-1)?.to)

test('free space is next to the storages while less than everything is used', () => {
  for (const percent of [79, 80, 99]) expect(roles(percent)).toEqual([['category-1', 'category-2', 'border']])
  expect(at(80)[0]?.slices.map(({ from, to }) => [from, to])).toEqual([
    [0, 0.48],
    [0.48, 0.8],
    [0.8, 1],
  ])
})

test('nothing is left at 100 %, and nothing overflows', () => {
  expect(roles(100)).toEqual([['category-1', 'category-2']])
})

test('each time that the allocated size is used once more is a red ring', () => {
  expect(roles(101)).toEqual([['category-1', 'category-2'], red])
  expect(filled(101)).toEqual([1, expect.closeTo(0.01)])
  expect(roles(250)).toEqual([['category-1', 'category-2'], red, red])
  expect(filled(250)).toEqual([1, 1, 0.5])
  expect(roles(499)).toHaveLength(5)
  expect(roles(499)[0]).toEqual(['category-1', 'category-2'])
})

test('from 500 % on there are five red rings', () => {
  for (const percent of [500, 512, 90_000]) {
    expect(roles(percent)).toEqual([red, red, red, red, red])
    expect(filled(percent)).toEqual([1, 1, 1, 1, 1])
  }
})

test('rings are within each other and leave room in the middle', () => {
  for (const percent of [0, 79, 100, 101, 250, 350, 499, 500]) {
    const edges = at(percent).flatMap(({ outer, inner }) => [outer, inner])
    expect(edges).toEqual(edges.toSorted((a, b) => b - a))
    expect(edges.at(-1)).toBeGreaterThanOrEqual(29.9)
  }
})
