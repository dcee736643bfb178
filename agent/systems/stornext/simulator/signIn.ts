import { refused, Refused } from '#agent/simulator/answers.ts'
import { createHash } from 'node:crypto'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'

export type User = {
  username: string
  password: string
  /** May not store, retrieve or truncate. */
  isReadOnly?: boolean
}

/** Users sign in with parameters or by HTTP Digest; without a sign-in, parameters are ignored. */
export type SignInMode = 'none' | 'parameters' | 'digest'

export type SignIn = ReturnType<typeof newSignIn>

type SignInOptions = { mode: SignInMode; users: User[]; now: () => number; nonceMs: number }

const realm = 'StorNext'

/** Checks the user of each request. A Digest challenge is valid for `nonceMs`. */
export function newSignIn({ mode, users, now, nonceMs }: SignInOptions) {
  const nonces = new Map<string, number>()
  let count = 0
  const challenge = (isStale: boolean): never => {
    const nonce = createHash('md5').update(`nonce ${++count}`).digest('hex')
    nonces.set(nonce, now() + nonceMs)
    const header = `Digest realm="${realm}", qop="auth", nonce="${nonce}", opaque="sws"${isStale ? ', stale=true' : ''}`
    throw new Refused({ status: 401, body: 'Unauthorized', headers: { 'www-authenticate': header } })
  }
  const byDigest = (request: SimulatedRequest): User => {
    const fields = digestFields(request.headers.authorization)
    const user = users.find(({ username }) => username === fields['username'])
    if (!user || fields['response'] !== expectedResponse(user, request.method, fields)) return challenge(false)
    const validUntil = nonces.get(fields['nonce'] ?? '')
    return validUntil === undefined || validUntil < now() ? challenge(true) : user
  }
  return {
    mode,
    users,
    /** Ends all Digest sessions. */
    expire: () => nonces.clear(),
    /** User of a request, or undefined without a sign-in. Throws the answer to a wrong one. */
    userOf(request: SimulatedRequest, value: (parameter: string) => string | undefined): User | undefined {
      if (this.mode === 'none') return undefined
      if (this.mode === 'digest') return byDigest(request)
      const [username, password] = [value('username'), value('password')]
      const user = users.find((known) => known.username === username && known.password === password)
      if (!user) throw refused(401, 'Unauthorized')
      return user
    },
  }
}

function digestFields(header = ''): Record<string, string> {
  const pairs = header.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)
  return Object.fromEntries([...pairs].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']))
}

/** Response to a challenge (RFC 7616 with MD5 and `qop=auth`). */
function expectedResponse({ username, password }: User, method: string, fields: Record<string, string>): string {
  const md5 = (...parts: (string | undefined)[]) => createHash('md5').update(parts.join(':')).digest('hex')
  const secret = md5(username, realm, password)
  const { nonce, nc, cnonce, qop, uri } = fields
  return md5(secret, nonce, nc, cnonce, qop, md5(method, uri))
}
