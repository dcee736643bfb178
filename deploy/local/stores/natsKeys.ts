import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nkeys } from 'nats'

/** An nkey: the seed signs in and stays secret, the public key is what nats-server knows. */
export type Key = { seed: string; publicKey: string }

/** The key of that name in the data folder; made at the first start, readable by its owner alone. */
export function readKey(data: string, name: string): Key {
  const folder = join(data, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${name}.nk`)
  if (!existsSync(file)) writeFileSync(file, text(nkeys.createUser().getSeed()), { mode: 0o600 })
  const seed = readFileSync(file, 'utf8')
  return { seed, publicKey: nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey() }
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
