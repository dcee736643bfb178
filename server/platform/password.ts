import { randomBytes, randomInt, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

type Cost = { N: number; r: number; p: number }

/** The cost of a new hash: 32 MB, three passes. Stored with each hash, so it can be raised. */
const fullCost: Cost = { N: 32_768, r: 8, p: 3 }
const keyLength = 32

/**
 * The cost of the next hash. Tests, which sign in hundreds of times, set a lower one. Throws if that is set outside of
 * tests, so no product is weakened by accident.
 */
export function passwordCost(environment: NodeJS.ProcessEnv = process.env): Cost {
  const lower = environment['TEST_PASSWORD_COST']
  if (lower === undefined) return fullCost
  if (environment['NODE_ENV'] !== 'test') throw new Error('TEST_PASSWORD_COST is set, which is only for tests')
  return { N: Number(lower), r: 8, p: 1 }
}

/** The stored form of a password: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const cost = passwordCost()
  const key = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Returns whether the password matches; without a hash it returns false after the same time. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (hash ?? hashOfNobody()).split('$')
  const expected = Buffer.from(key, 'base64url')
  const given = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(given, expected) && Boolean(hash)
}

/** A hash that matches no password and takes as long to check as any other. */
function hashOfNobody(): string {
  const { N, r, p } = passwordCost()
  return ['scrypt', N, r, p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$')
}

/** Creates a password for people to type: 20 letters and digits, about 110 bits. */
export function makePassword(): string {
  const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
}

function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, keyLength, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}
