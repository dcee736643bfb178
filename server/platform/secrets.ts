import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '#server/platform/config.ts'
import { Problem } from './problem.ts'

/** Place of the server's key. */
export type KeySource = Pick<Config, 'data' | 'secretKey'>
type Key = { bytes: Buffer; fingerprint: string }

/**
 * The place of a secret, where alone it can be opened, and its name for users at the start of a sentence: `The mail
 * password`.
 */
export type SecretPlace = { name: string; called: string }

const form = 'v1'
const cipher = 'aes-256-gcm'

/**
 * Encrypts a secret for the place `name`, where alone it can be opened. The result starts with its format and the
 * fingerprint of the key, and may be stored anywhere.
 */
export async function sealSecret(source: KeySource, name: string, secret: string): Promise<string> {
  const key = await keyOf(source)
  const iv = randomBytes(12)
  const sealing = createCipheriv(cipher, key.bytes, iv).setAAD(placeOf(key, name))
  const sealed = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final(), sealing.getAuthTag()])
  return [form, key.fingerprint, iv.toString('base64url'), sealed.toString('base64url')].join('.')
}

/**
 * Decrypts a secret sealed for the same place; throws 409 with a message for users if the key differs or the text was
 * changed.
 */
export async function openSecret(source: KeySource, { name, called }: SecretPlace, text: string): Promise<string> {
  const [itsForm, fingerprint, iv, sealed] = text.split('.')
  if (itsForm !== form || !fingerprint || !iv || !sealed) throw new Problem(409, damaged(called))
  const key = await keyOf(source)
  if (fingerprint !== key.fingerprint) throw new Problem(409, anotherKey(called, fingerprint, key))
  const bytes = Buffer.from(sealed, 'base64url')
  const opening = createDecipheriv(cipher, key.bytes, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
    .setAAD(placeOf(key, name))
    .setAuthTag(bytes.subarray(-16))
  try {
    return Buffer.concat([opening.update(bytes.subarray(0, -16)), opening.final()]).toString('utf8')
  } catch (cause) {
    throw new Problem(409, damaged(called), { cause })
  }
}

/** Returns whether a sealed secret was made with another key than this server's, so it can't be opened here. */
export const isOfAnotherKey = async (source: KeySource, text: string): Promise<boolean> =>
  text.split('.')[1] !== (await keyOf(source)).fingerprint

/** Identifies the key of sealed secrets without revealing it. */
export const fingerprintOfKey = async (source: KeySource): Promise<string> => (await keyOf(source)).fingerprint

/**
 * Signs a text for one purpose, to prove later that this server wrote it; signatures for other purposes don't match.
 */
export async function signText(source: KeySource, purpose: string, text: string): Promise<string> {
  const { bytes } = await keyOf(source)
  return createHmac('sha256', bytes)
    .update(JSON.stringify([purpose, text]))
    .digest('base64url')
}

/** A key of 32 bytes for one purpose, derived from the server's; it reveals neither that nor those of other purposes. */
export async function keyFor(source: KeySource, purpose: string): Promise<Buffer> {
  const { bytes } = await keyOf(source)
  return createHmac('sha256', bytes)
    .update(JSON.stringify(['key', purpose]))
    .digest()
}

/** The file with the key, unless the environment has it. */
export const keyFile = ({ data }: KeySource): string => join(data, 'keys', 'secret.key')

/** True if there is a key already; other functions create a missing one. */
export const hasKey = (source: KeySource): boolean => source.secretKey !== undefined || existsSync(keyFile(source))

const damaged = (called: string) => `${called} cannot be opened: its stored value was changed. Enter it again`

const anotherKey = (called: string, fingerprint: string, key: Key) =>
  `${called} cannot be opened: it was stored with the key ${fingerprint}, and this server has the key ${key.fingerprint}. ` +
  'Enter it again, or set DATAINTELL_SECRET_KEY, or the file keys/secret.key in the data folder, to its previous value'

const placeOf = ({ fingerprint }: Key, name: string): Buffer => Buffer.from(`${form}.${fingerprint}.${name}`)

const keys = new Map<string, Promise<Key>>()

/** The key from the environment, otherwise from the data folder, which is created if missing. Derived once. */
function keyOf({ data, secretKey }: KeySource): Promise<Key> {
  const source = secretKey ?? keyFile({ data, secretKey })
  const known = keys.get(source)
  if (known) return known
  const made = (secretKey === undefined ? readOrMakeKey(source) : Promise.resolve(secretKey)).then(deriveKey)
  keys.set(source, made)
  made.catch(() => keys.delete(source))
  return made
}

const derive = promisify<string, string, number, Buffer>(scrypt)

/** From any text: the content of the key file may be moved into the variable. */
async function deriveKey(text: string): Promise<Key> {
  const bytes = await derive(text, 'DataIntell secrets', 32)
  return { bytes, fingerprint: createHmac('sha256', bytes).update('fingerprint').digest('hex').slice(0, 8) }
}

/** Servers that start at once on one folder use the same key: the file appears complete, and the first one stays. */
async function readOrMakeKey(file: string): Promise<string> {
  const written = await readKey(file)
  if (written) return written
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const own = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  await link(own, file).catch(unlessThere)
  await rm(own)
  return (await readKey(file)) ?? ''
}

const readKey = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').then((text) => {
    if (text.trim().length < 32) throw new Error(`The key file ${file} is incomplete: restore it from a backup`)
    return text.trim()
  }, whenMissing)

function whenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
