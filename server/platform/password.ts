import { randomBytes, randomInt, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

type Cost = { N: number; r: number; p: number }

/** The cost of a new hash: 32 MB, three passes. Stored with each hash, so that it can be raised. */
const fullCost: Cost = { N: 32_768, r: 8, p: 3 }
const keyLength = 32

/**
 * The cost of the next hash. Tests, which sign in hundreds of times, name a lower one. Throws where that is named outside of tests,
 * so that no product is weaker by an oversight.
 */
export function passwordCost(environment: NodeJS.ProcessEnv = process.env): Cost {
  const lower = environment['TEST_PASSWORD_COST']
  if (lower === undefined) return fullCost
  if (environment['NODE_ENV'] !== 'test') throw new Error('TEST_PASSWORD_COST is set, which is for tests alone')
  return { N: Number(lower), r: 8, p: 1 }
}

/** What is kept of a password: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const cost = passwordCost()
  const key = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether the password is the one; without a hash the answer is no, and takes as long. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (hash ?? hashOfNobody()).split('$')
  const expected = Buffer.from(key, 'base64url')
  const given = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(given, expected) && Boolean(hash)
}

/** A hash that no password has; it takes as long as any. */
function hashOfNobody(): string {
  const { N, r, p } = passwordCost()
  return ['scrypt', N, r, p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$')
}

/** A password for people to type: 20 letters and digits, about 110 bits. */
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
