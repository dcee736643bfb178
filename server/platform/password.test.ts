import { beforeEach, expect, test, vi } from 'vitest'
import { hashPassword, isPassword, makePassword, passwordCost } from './password.ts'

beforeEach(() => {
  vi.stubEnv('TEST_PASSWORD_COST', undefined)
  return () => vi.unstubAllEnvs()
})

test('a lower cost is accepted only in tests', async () => {
  const lower = { TEST_PASSWORD_COST: '1024' }
  expect(passwordCost({ ...lower, NODE_ENV: 'test' })).toEqual({ N: 1024, r: 8, p: 1 })
  for (const NODE_ENV of ['production', 'development', ''])
    expect(() => passwordCost({ ...lower, NODE_ENV })).toThrow('only for tests')
  expect(() => passwordCost(lower)).toThrow('only for tests')
  expect(passwordCost({ NODE_ENV: 'test' })).toEqual({ N: 32_768, r: 8, p: 3 })
  vi.stubEnv('TEST_PASSWORD_COST', '1024')
  expect(await hashPassword('x')).toMatch(/^scrypt\$1024\$8\$1\$/)
})

test('a password fits its own hash and no other', async () => {
  const hash = await hashPassword('Zoë’s pass')
  expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  expect(await isPassword('Zoë’s pass', hash)).toBe(true)
  expect(await isPassword('zoë’s pass', hash)).toBe(false)
  expect(await isPassword('', hash)).toBe(false)
})

test('letters typed as one sign or as two are the same', async () => {
  expect(await isPassword('Zoe\u0308', await hashPassword('Zo\u00eb'))).toBe(true)
})

test('two hashes of one password differ, and a hash of another cost still fits', async () => {
  const [one, two] = await Promise.all([hashPassword('x'), hashPassword('x')])
  expect(one).not.toBe(two)
  const cheap = 'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA$' // N 1024, made by the same function
  const { scryptSync } = await import('node:crypto')
  const key = scryptSync('x', Buffer.from('c2FsdHNhbHRzYWx0c2FsdA', 'base64url'), 32, { N: 1024, r: 8, p: 1 })
  expect(await isPassword('x', cheap + key.toString('base64url'))).toBe(true)
})

test('without a hash no password fits', async () => {
  expect(await isPassword('', undefined)).toBe(false)
  expect(await isPassword('null', null)).toBe(false)
})

test('a made password is long and never the same', () => {
  expect(makePassword()).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{20}$/)
  expect(makePassword()).not.toBe(makePassword())
})
