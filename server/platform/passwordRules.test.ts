import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePassword } from './password.ts'
import { passwordFault } from './passwordRules.ts'

const faults = (passwords: string[], name = 'ana') => passwords.map((password) => passwordFault(password, name))
const all = <T>(of: unknown[], fault: T) => of.map(() => fault)
const knownFault = 'must not be a commonly used password'

test('a short password is refused', () => {
  expect(faults(['', 'x', 'Zx7!kq9-Pw2'])).toEqual(all([1, 2, 3], 'must have at least 12 characters'))
})

test('each of the 10,000 most common passwords is refused, in any case, alone or with digits around it', () => {
  const lines = readFileSync(join(import.meta.dirname, 'knownPasswords.txt'), 'utf8')
    .trimEnd()
    .split('\n')
  const passwords = lines.filter((line) => !line.startsWith('#'))
  expect(passwords).toHaveLength(10_000)
  expect(passwords.map((password) => passwordFault(password, 'ana')).filter((fault) => !fault)).toEqual([])
  const long = ['Unbelievable', 'QWERTY123456', 'scandinavian', 'password1234', '2024!Football', 'passwordpassword']
  expect(faults(long)).toEqual(all(long, knownFault))
  const letters = passwords.filter((word) => /^[a-z]{4,}$/.test(word))
  expect(letters.filter((word) => passwordFault(`12345678${word.toUpperCase()}!`, 'ana') !== knownFault)).toEqual([])
})

test('the name of the account is refused, in any case, with digits around it or repeated', () => {
  const own = ['Anastasia.Example', 'anastasia.example1!', 'ANASTASIA.EXAMPLEanastasia.example']
  expect(faults(own, 'anastasia.example')).toEqual(all(own, 'must not be the name of the account'))
})

test('the name or a well-known password is refused when it is repeated with digits and symbols around and between', () => {
  const own = [
    'adminadmin12',
    'admin!admin!',
    'Admin1Admin2',
    '12ADMINadmin',
    'admin-admin-admin',
    'adminadminad',
    'a.d.m.i.n.2026',
  ]
  expect(faults(own, 'admin')).toEqual(all(own, 'must not be the name of the account'))
  expect(faults(own)).toEqual(all(own, knownFault))
  const bob = ['bob42bob42bob42', 'bob42!bob42!12', 'bob2024!!!!!', 'Bob.Bob.Bob.1']
  expect(faults(bob, 'bob42')).toEqual(all(bob, 'must not be the name of the account'))
  expect(faults(['Anastasia-Example1', 'anastasiaexample26'], 'anastasia.example')).toEqual(
    all([1, 2], 'must not be the name of the account'),
  )
})

test('a few repeated characters are refused', () => {
  const repeated = [
    'aaaaaaaaaaaa',
    'xyzwxyzwxyzw',
    '%&%&%&%&%&%&',
    'xyzwxyzwxyzw12345678',
    '99xqvkxqvkxq99',
    'xqvkz!xqvkz?1',
    '12xqv12xqv12xqv99',
    '8351-8351-8351',
    'xqvkzxqvkzxqv',
  ]
  expect(faults(repeated)).toEqual(all(repeated, 'must not repeat a few characters'))
})

test('typical phrases of several words are accepted, and so are generated passwords', () => {
  expect(
    faults(['a password of my own', 'correct horse battery', makePassword(), 'Zoë’s pass 2026', '8392a05728a1']),
  ).toEqual(all([1, 2, 3, 4, 5], undefined))
})
