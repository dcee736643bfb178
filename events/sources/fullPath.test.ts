import { expect, test } from 'vitest'
import { fullPathOf, inSameStorage, pathWithin, rootPath } from './fullPath.ts'

const smb = { type: 'SMB', host: 'nas', shareName: 'media' } as const
const nfs = { type: 'NFS', host: 'nas.example.com', shareName: '/export/media' } as const

test('a storage begins where its users write it', () => {
  expect(rootPath('/usr', null)).toBe('/usr')
  expect(rootPath('/', smb)).toBe('\\\\nas\\media')
  expect(rootPath('/shows/2026', { ...smb, shareName: 'media/tv' })).toBe('\\\\nas\\media\\tv\\shows\\2026')
  expect(rootPath('/', nfs)).toBe('nas.example.com:/export/media')
  expect(rootPath('/shows', nfs)).toBe('nas.example.com:/export/media/shows')
  expect(rootPath('/shows', { ...nfs, shareName: '/' })).toBe('nas.example.com:/shows')
})

test('the path of an entry continues from there', () => {
  expect(fullPathOf('/usr', '/lib/x')).toBe('/usr/lib/x')
  expect(fullPathOf('/usr/', '/lib/x')).toBe('/usr/lib/x')
  expect(fullPathOf('/', '/lib/x')).toBe('/lib/x')
  expect([fullPathOf('/usr', '/'), fullPathOf('/usr', ''), fullPathOf('/', '/')]).toEqual(['/usr', '/usr', '/'])
  expect(fullPathOf('\\\\nas\\media', '/shows/a b.mov')).toBe('\\\\nas\\media\\shows\\a b.mov')
  expect(fullPathOf('nas:/export', '/shows/back\\slash')).toBe('nas:/export/shows/back\\slash')
  expect(['/films', ''].map((path) => fullPathOf('dropbox:/', path))).toEqual(['dropbox:/films', 'dropbox:/'])
})

test('another place of the same storage begins where the storage does', () => {
  const at = (root: string, path: string) => inSameStorage({ fullPath: fullPathOf(root, path), path }, '/old/x')
  expect(['/', '/lib', '/lib/y'].map((path) => at('/usr', path))).toEqual(Array(3).fill('/usr/old/x'))
  expect(at('/', '/lib')).toBe('/old/x')
  expect(at('\\\\nas\\media', '/lib/y')).toBe('\\\\nas\\media\\old\\x')
})

test.each([
  ['/mnt/films', '/mnt/films/raw/a', '/raw/a'],
  ['/mnt/films', '/mnt/films/', '/'],
  ['/mnt/films/', '/mnt/films/raw', '/raw'],
  ['/mnt/films', '/mnt/films2/raw', undefined],
  ['/mnt/films', '/raw', undefined],
  ['/', '/raw', '/raw'],
  [String.raw`\\nas\media`, String.raw`\\nas\media\raw\a`, '/raw/a'],
  ['nas:/export', 'nas:/export/raw', '/raw'],
  ['s3://films', 's3://films/raw', '/raw'],
])('in the storage at %s the full path %s is %s', (root, fullPath, path) => {
  expect(pathWithin(root, fullPath)).toBe(path)
})
