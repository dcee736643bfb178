import { expect, test } from 'vitest'
import { movedTo, movedToStorages } from './settingsPages.ts'

test('addresses of earlier versions lead to the page that has their section now', () => {
  expect([movedTo('general', ''), movedTo('email', '')]).toEqual(['system', 'mail'])
  expect([movedToStorages('storage', ''), movedToStorages('data', 'storages')]).toEqual(['overview', 'overview'])
  expect([movedToStorages('data', 'object-storage'), movedToStorages('data', 'agents')]).toEqual([
    'settings',
    undefined,
  ])
  expect(
    ['email', 'users', 'sessions', 'api-tokens', 'wall-displays'].map((anchor) => movedTo(undefined, anchor)),
  ).toEqual(['mail', 'users', 'users', 'tokens', 'walls'])
  expect(movedTo('general', 'users')).toBe('users')
})

test('current addresses stay', () => {
  expect([movedTo(undefined, ''), movedTo(undefined, 'scan'), movedTo('data', 'agents'), movedTo('mail', '')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('names that every object has lead nowhere', () => {
  expect([movedTo('constructor', ''), movedTo('__proto__', ''), movedTo(undefined, 'toString')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
