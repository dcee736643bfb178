import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { isOfAnotherKey, openSecret, sealSecret } from './secrets.ts'
import { testFolder } from './testing/stores.ts'

const source = (secretKey?: string) => ({ data: testFolder('data'), secretKey })
const name = 'spring.mail.password'
const place = { name, called: 'The mail password' }
const secret = 'Grüße & "quotes" 😀'

test('a secret is returned unchanged, and is never written the same way twice', async () => {
  const here = source()
  const sealed = await sealSecret(here, name, secret)
  expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+\.[\w-]+$/)
  expect(sealed).not.toContain(Buffer.from(secret).toString('base64url').slice(0, 8))
  expect(await openSecret(here, place, sealed)).toBe(secret)
  expect(await sealSecret(here, name, secret)).not.toBe(sealed)
  expect(await openSecret(here, place, await sealSecret(here, name, ''))).toBe('')
})

test('a changed secret does not open, with any changed character', async () => {
  const here = source()
  const sealed = await sealSecret(here, name, secret)
  // The last character of base64 has unused bits.
  for (let at = 0; at < sealed.length - 1; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
    await expect(openSecret(here, place, changed)).rejects.toThrow(/was changed|with the key/)
  }
  await expect(openSecret(here, place, sealed.slice(0, -4))).rejects.toThrow('was changed')
})

test('a secret opens at its own place only', async () => {
  const here = source()
  const sealed = await sealSecret(here, name, secret)
  await expect(openSecret(here, { name: 'another.password', called: 'Another' }, sealed)).rejects.toThrow(
    'Another cannot be opened: its stored value was changed. Enter it again',
  )
})

test('another key says in the words of users that it is another, and names both', async () => {
  const own = source()
  const other = source('another key that has 32 characters')
  const sealed = await sealSecret(own, name, secret)
  await expect(openSecret(other, place, sealed)).rejects.toThrow(
    new RegExp(
      `^The mail password cannot be opened: it was stored with the key ${sealed.slice(3, 11)}, ` +
        'and this server has the key [0-9a-f]{8}\\. Enter it again, or set DATAINTELL_SECRET_KEY',
    ),
  )
  expect([await isOfAnotherKey(own, sealed), await isOfAnotherKey(other, sealed)]).toEqual([false, true])
})

/** Seals in a separate process, like another server on the same folder. */
async function sealElsewhere(data: string): Promise<string> {
  const script = `import { sealSecret } from ${JSON.stringify(import.meta.resolve('./secrets.ts'))}
    process.stdout.write(await sealSecret(${JSON.stringify({ data })}, ${JSON.stringify(name)}, ${JSON.stringify(secret)}))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  return stdout
}

test('the key file is for its owner alone, made once by however many ask, and its words fit the variable', async () => {
  const { data } = source()
  const sealed = await Promise.all(Array.from({ length: 4 }, () => sealElsewhere(data)))
  const folder = join(data, 'keys')
  expect(readdirSync(folder)).toEqual(['secret.key'])
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o077).toBe(0)
  const secretKey = readFileSync(join(folder, 'secret.key'), 'utf8').trim()
  for (const one of sealed) expect(await openSecret({ data: '/nowhere', secretKey }, place, one)).toBe(secret)
})

test('a key file that was cut off is reported, and not replaced', async () => {
  const { data } = source()
  mkdirSync(join(data, 'keys'))
  writeFileSync(join(data, 'keys/secret.key'), 'short')
  await expect(sealSecret({ data, secretKey: undefined }, name, secret)).rejects.toThrow('is incomplete')
  expect(readFileSync(join(data, 'keys/secret.key'), 'utf8')).toBe('short')
})

test('a short key in the environment is refused by name', () => {
  expect(() => readConfig({ DATAINTELL_SECRET_KEY: 'short' })).toThrow(
    'DATAINTELL_SECRET_KEY: must have at least 32 characters',
  )
})
