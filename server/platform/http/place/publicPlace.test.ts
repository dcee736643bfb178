import { expect, test } from 'vitest'
import { readForwarded } from './forwarded.ts'
import { readUrl, withoutBase } from './publicPlace.ts'

test.each([
  [{}, { host: 'here:8080' }],
  [
    { 'x-forwarded-host': 'x.example.com', 'x-forwarded-proto': 'https' },
    { scheme: 'https', host: 'x.example.com' },
  ],
  [{ 'x-forwarded-host': 'x.example.com:8443' }, { host: 'x.example.com:8443' }],
  [{ 'x-forwarded-host': 'x.example.com', 'x-forwarded-port': '8443' }, { host: 'x.example.com:8443' }],
  [{ 'x-forwarded-host': 'x.example.com:8443', 'x-forwarded-port': '443' }, { host: 'x.example.com:8443' }],
  [
    { 'x-forwarded-host': 'x.example.com, inner', 'x-forwarded-proto': 'https,http' },
    { scheme: 'https', host: 'x.example.com' },
  ],
  [{ host: 'x.example.com', 'x-forwarded-port': '8443' }, { host: 'x.example.com:8443' }],
  [{ 'x-forwarded-proto': 'wss' }, { scheme: 'https', host: 'here:8080' }],
  [
    { forwarded: 'for=1.2.3.4;proto=https;host="x.example.com:8443", for=10.0.0.1' },
    { scheme: 'https', host: 'x.example.com:8443' },
  ],
  [{ forwarded: 'Host=x.example.com;Proto=HTTPS' }, { scheme: 'https', host: 'x.example.com' }],
  [{ 'x-forwarded-host': '[fd00::1]:8443' }, { host: '[fd00::1]:8443' }],
  [
    { 'x-forwarded-host': 'evil"><script>', 'x-forwarded-port': 'x', 'x-forwarded-proto': 'ftp' },
    { host: 'here:8080' },
  ],
  [{ 'x-forwarded-prefix': '/dataintell/' }, { host: 'here:8080', prefix: '/dataintell' }],
  [{ 'x-forwarded-prefix': '//evil.example.com' }, { host: 'here:8080' }],
])('a proxy that sends %j', (headers, expected) => {
  expect(readForwarded({ host: 'here:8080', ...headers })).toEqual(expected)
})

test('a base path is removed as a whole, with or without what follows', () => {
  const paths = ['/base', '/base/', '/base/a?b', '/base?c', '/basement', '/a', '/a/base']
  expect(paths.map((path) => withoutBase(path, '/base'))).toEqual([
    '/',
    '/',
    '/a?b',
    '/?c',
    '/basement',
    '/a',
    '/a/base',
  ])
  expect(withoutBase('/a', '')).toBe('/a')
})

test('the Application URL has an origin and maybe a path', () => {
  expect(readUrl('https://X.example.com:443/dataintell/')).toEqual({
    origin: 'https://x.example.com',
    base: '/dataintell',
  })
  expect(readUrl('http://x:8080')).toEqual({ origin: 'http://x:8080', base: '' })
  expect(readUrl('')).toBeUndefined()
})
