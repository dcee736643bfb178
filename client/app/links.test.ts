import { expect, test } from 'vitest'
import { afterSignIn, linksAt, signInAddress } from './links.ts'

test('links keep the snapshot that is looked at', () => {
  expect(linksAt('2026-11-01').settings('data')).toBe('/settings/data?date=2026-11-01')
  expect(linksAt().fileManagement({ volumeId: 3, path: '/a b' })).toBe('/filemanagement?volumeId=3&path=%2Fa+b')
})

test('a new report begins with what is searched for', () => {
  expect(linksAt().newReport()).toBe('/reports?wizard=new')
  expect(linksAt().newReport('[]')).toBe('/reports?wizard=new&criteria=%5B%5D')
})

test('the sign-in leads back to where one was', () => {
  const address = signInAddress('/login', '/search?name=*.exr&date=2026-11-01')
  expect(afterSignIn(address.slice('/login'.length))).toBe('/search?name=*.exr&date=2026-11-01')
})

test('the sign-in leads nowhere else', () => {
  const elsewhere = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/login',
    '/\t/evil.example',
    '/api/logout',
  ]
  for (const address of elsewhere) expect(afterSignIn(`?${new URLSearchParams({ redirectTo: address })}`)).toBe('/')
})
