import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Database, listAccounts, type Lookup, lookUpName } from '#events/node/accounts.ts'
import { openKeptNames } from '../../scan/folders/keptNames.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { ownersOf } from './owners.ts'

/** Puts a `getent` in place of the machine's. */
function stubNameService(script: string): void {
  const folder = testFolder('bin')
  writeFileSync(join(folder, 'getent'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'getent'), 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
}

test('accounts of every name service are listed, next to those in files', async () => {
  stubNameService('[ "$1" = passwd ] && echo orgads:x:10166:10011::/:/bin/sh || echo linuxusers:x:10011:')
  const owners = ownersOf(await listAccounts(), { lookUp: () => 'none' })
  expect([owners.user(10_166), owners.group(10_011), owners.user(0)]).toEqual(['orgads', 'linuxusers', 'root'])
})

test('an account that the service only returns for its number is found', async () => {
  stubNameService('[ "$2" = 10166 ] && echo "orgads:x:10166:10011::/:/bin/sh" && exit; [ -n "$2" ] && exit 2; exit 0')
  expect(lookUpName('passwd', 10_166)).toEqual({ name: 'orgads' })
  expect(lookUpName('passwd', 10_167)).toBe('none')
  expect(ownersOf(await listAccounts()).user(10_166)).toBe('orgads')
})

test('a service that does not answer is interrupted', () => {
  stubNameService('exec sleep 60')
  expect(lookUpName('passwd', 10_166)).toBe('failed')
})

test('each number is looked up once, and a service that failed rests for a minute', () => {
  const asked: number[] = []
  let now = 0
  let result: Lookup = { name: 'ana' }
  const lookUp = (_: Database, id: number) => (asked.push(id), result)
  const known = { passwd: new Map([[3, 'kept']]), group: new Map() }
  const owners = ownersOf({ passwd: new Map([[0, 'root']]), group: new Map() }, { lookUp, known, nowMs: () => now })
  expect([0, 1, 1].map(owners.user)).toEqual(['root', 'ana', 'ana'])
  result = 'failed'
  expect([2, 3, 2].map(owners.user)).toEqual(['2', 'kept', '2'])
  expect(asked).toEqual([1, 2])
  now = 61_000
  result = 'none'
  expect([2, 3, 2].map(owners.user)).toEqual(['2', '3', '2'])
  expect(asked).toEqual([1, 2, 2, 3])
  expect([owners.lookedUp('passwd', 1), owners.lookedUp('passwd', 0), owners.lookedUp('passwd', 2)]).toEqual([
    'ana',
    '',
    '',
  ])
})

test('found names are kept for scans while the service is down', () => {
  const state = testFolder('state')
  const first = openKeptNames(state)
  first.add('passwd', 7, 'ana')
  first.save()
  expect(openKeptNames(state).names.passwd.get(7)).toBe('ana')
  expect(openKeptNames(undefined).names.passwd.size).toBe(0)
})
