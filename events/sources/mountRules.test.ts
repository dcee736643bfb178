import { describe, expect, test } from 'vitest'
import type { ZodType } from 'zod'
import { readInput } from '#events/contract/input.ts'
import { hostFault, mountFault, shareFault } from './mountRules.ts'
import { NetworkCredentialDraft, NetworkShareDraft } from './networkShares.ts'

const accepted = ['nas', 'nas-2.example.com', '_smb.local', '192.0.2.7', '[2001:db8::1]', '[::ffff:192.0.2.1]']
test.each(accepted)('%s is a host', (host) => expect(hostFault(host)).toBeUndefined())

const noHosts = [
  '',
  '-oexec',
  '--',
  '-',
  'a b',
  'a/b',
  'a\\b',
  'a,b',
  'a:445',
  'user@nas',
  'a;reboot',
  '$(id)',
  '`id`',
  'a\nb',
  'nas\0',
  '[::1',
  '::1',
  '[::1]:445',
  '[fe80::1%eth0]',
  '[]',
  'näs',
  'nas\u202e',
  '../nas',
  'nas\n',
]
test.each(noHosts)('%j is not a valid host', (host) => expect(hostFault(host)).toContain('must be a host name'))

describe('a share', () => {
  test.each(['media', 'media/shows/a b', 'C$', 'Ünïcode (1)', "it's", 'a;b', '$(id)', '...'])(
    'of SMB may be %s',
    (share) => expect(shareFault('SMB', share)).toBeUndefined(),
  )
  test.each([
    '',
    '/media',
    'media/',
    'a//b',
    '..',
    'a/../b',
    '../etc',
    '-o',
    'a,uid=0',
    'a\\b',
    'a:b',
    'a*',
    'a?',
    'a"b',
    'a<b>',
    'a|b',
    'a\nb',
    'a\0',
    'a\u007f',
    'a\u0085',
  ])('of SMB is never %j', (share) => expect(shareFault('SMB', share)).toMatch(/^must/))

  test.each(['/', '/export/media', '/a b', '/vol:1', '/a*'])('of NFS may be %s', (share) =>
    expect(shareFault('NFS', share)).toBeUndefined(),
  )
  test.each(['', 'export', '-x', '/a/../etc', '/..', '/a,rw', '/a\nb', '/a\0', ' /a'])('of NFS is never %j', (share) =>
    expect(shareFault('NFS', share)).toMatch(/^must/),
  )
})

test('a mount is checked as a whole before it starts, and no value is repeated', () => {
  const credential = { username: 'ana', password: 'secret', domain: '' }
  const mount = { type: 'SMB', host: 'nas', shareName: 'media', options: 'seal', credential } as const
  expect(mountFault(mount, '/shows')).toBeUndefined()
  expect(mountFault({ ...mount, credential: null }, '/')).toBeUndefined()
  expect(mountFault({ ...mount, credential: { ...credential, password: 'secret\nusername=root' } }, '/')).toBe(
    'credentials must not contain control characters',
  )
  expect(mountFault(mount, '/a/../../etc')).toBe("path must not contain '..'")
  expect(mountFault(mount, 'etc')).toBe('path must be an absolute path')
  expect(mountFault(mount, '/a\nb')).toBe('path must not contain control characters')
})

test('the forms refuse the same, in the specified words', () => {
  const wrongIn = (schema: ZodType, input: unknown) =>
    readInput(schema, input).subErrors?.map(({ field, message }) => `${field} ${message}`)
  const credential = { name: '', username: '', password: '', domain: 'x'.repeat(256) }
  expect(wrongIn(NetworkCredentialDraft, credential)).toEqual([
    'name must be between 1 and 255 characters',
    'username must be between 1 and 255 characters',
    'password must be between 1 and 255 characters',
    'domain must be between 0 and 255 characters',
  ])
  const volume = { dataintellName: '', type: 'SMB', host: ' ', shareName: '' }
  expect(wrongIn(NetworkShareDraft, volume)).toEqual([
    "storagePrice can't be empty",
    "dataintellName can't be empty",
    "host can't be empty",
    "shareName can't be empty",
  ])
  const hostile = {
    dataintellName: 'Media',
    type: 'NFS',
    host: '-x',
    shareName: '/..',
    path: '/../etc',
    storagePrice: { id: 1 },
  }
  expect(wrongIn(NetworkShareDraft, hostile)).toEqual([
    'host must be a host name, an IPv4 address or an IPv6 address in brackets',
    "shareName must not contain '..'",
    "path must not contain '..'",
  ])
})
