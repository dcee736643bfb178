import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { findTimeZone } from './timeZone.ts'

/** A machine with these files, and links `-> target`. */
function machineWith(files: Record<string, string>): string {
  const root = testFolder('machine')
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    if (content.startsWith('-> ')) symlinkSync(content.slice(3), file)
    else writeFileSync(file, content)
  }
  return root
}
const find = (TZ: string | undefined, files: Record<string, string> = {}) => {
  const { name, source } = findTimeZone({ env: { TZ }, root: machineWith(files) })
  return [name, source]
}
const berlin = { '/etc/localtime': '-> /usr/share/zoneinfo/Europe/Berlin' }

test.each([
  ['Europe/Paris', 'Europe/Paris'],
  [' europe/paris ', 'Europe/Paris'],
  [':Europe/Paris', 'Europe/Paris'],
  ['posix/Europe/Paris', 'Europe/Paris'],
  ['right/UTC', 'UTC'],
  [':/usr/share/zoneinfo/Europe/Paris', 'Europe/Paris'],
  ['/usr/share/zoneinfo/posix/Europe/Paris', 'Europe/Paris'],
  ['UTC0', 'UTC'],
  ['GMT0', 'UTC'],
  ['EST5', 'Etc/GMT+5'],
  ['<+03>-3', 'Etc/GMT-3'],
  ['GMT+3', 'Etc/GMT+3'],
])('TZ=%s is %s', (text, name) => {
  expect(find(text, berlin)).toEqual([name, 'TZ'])
})

test('an empty TZ is not set, and TZ may name the file of the machine', () => {
  expect(find('', berlin)).toEqual(['Europe/Berlin', '/etc/localtime'])
  expect(find(undefined, berlin)).toEqual(['Europe/Berlin', '/etc/localtime'])
  expect(find(':/etc/localtime', berlin)).toEqual(['Europe/Berlin', 'TZ'])
})

test.each(['Europe/Berlni', 'Factory', 'Etc/Unknown', '+03:00', 'CET-1CEST,M3.5.0,M10.5.0/3', ':/etc/nowhere'])(
  'TZ=%s is refused by name',
  (text) => {
    expect(() => find(text, berlin)).toThrow(`TZ: ${text} is not the name of a time zone`)
  },
)

test('a file in place of the link is recognized by its content, with the name in /etc/timezone preferred', () => {
  const files = {
    '/etc/localtime': 'rules of Berlin',
    '/usr/share/zoneinfo/Europe/Berlin': 'rules of Berlin',
    '/usr/share/zoneinfo/Europe/Oslo': 'rules of Berlin',
    '/usr/share/zoneinfo/UTC': 'rules of UTC',
  }
  expect(find(undefined, files)).toEqual(['Europe/Berlin', '/etc/localtime'])
  expect(find(undefined, { ...files, '/etc/timezone': 'Europe/Oslo\n' })).toEqual(['Europe/Oslo', '/etc/localtime'])
  expect(find(undefined, { ...files, '/etc/timezone': 'Etc/UTC\n' })).toEqual(['Europe/Berlin', '/etc/localtime'])
})

test('links may be relative, lead over other links, or nowhere', () => {
  expect(find(undefined, { '/etc/localtime': '-> ../usr/share/zoneinfo/Asia/Tokyo' })[0]).toBe('Asia/Tokyo')
  const chain = { '/etc/localtime': '-> zone', '/etc/zone': '-> ../usr/share/zoneinfo/Asia/Tokyo' }
  expect(find(undefined, { ...chain, '/usr/share/zoneinfo/Asia/Tokyo': 'rules' })[0]).toBe('Asia/Tokyo')
  const broken = { '/etc/localtime': '-> /usr/share/zoneinfo/Factory', '/etc/timezone': '# set by hand\nAsia/Tokyo\n' }
  expect(find(undefined, broken)).toEqual(['Asia/Tokyo', '/etc/timezone'])
})

test('without any source, days are in UTC, with a warning', () => {
  expect(find(undefined)).toEqual(['UTC', 'default'])
  expect(findTimeZone({ env: {}, root: machineWith({}) }).warning).toContain('Set TZ')
})
