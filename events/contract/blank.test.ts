import { expect, test } from 'vitest'
import { FileStorageDraft } from '#events/sources/fileStorages.ts'
import { mappedPath } from '#events/sources/pathMapping.ts'
import { filledPath } from './blank.ts'

test('paths keep the spaces at the ends of their names', () => {
  for (const path of ['/films/raw ', ' /films', '/a/ b'])
    expect([filledPath('').parse(path), mappedPath('Path').parse(path)]).toEqual([path, path])
  const { path, volumeIgnoreRules } = FileStorageDraft.parse({
    name: 'Films',
    path: '/films/raw ',
    storagePrice: null,
    volumeIgnoreRules: [{ path: 'tmp ' }],
  })
  expect([path, volumeIgnoreRules]).toEqual(['/films/raw ', [{ path: 'tmp ' }]])
})

test('a path of spaces is blank', () => {
  expect(filledPath('must not be blank').safeParse('  ').error?.issues[0]?.message).toBe('must not be blank')
})
