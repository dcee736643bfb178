import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from './clock.ts'
import { type Answer, json, noContent, refused, unauthorized } from './errors.ts'
import { bodyOf } from './fields.ts'
import type { Incoming } from './requests.ts'
import type { Switches } from './switches.ts'

export type Privilege =
  | 'ISI_PRIV_LOGIN_PAPI'
  | 'ISI_PRIV_NS_IFS_ACCESS'
  | 'ISI_PRIV_NS_TRAVERSE'
  | 'ISI_PRIV_SNAPSHOT'
  | 'ISI_PRIV_JOB_ENGINE'
  | 'ISI_PRIV_STATISTICS'
  | 'ISI_PRIV_QUOTA'

/** A user has all privileges except those in `without`. */
export type User = { username: string; password: string; without?: readonly Privilege[] }

type Service = 'platform' | 'namespace'
type Session = { user: User; services: string[]; node: number; csrf: string; created: number }
/** A session has another token after a replacement. Each token has an inactive limit of its own. */
type Token = { session: Session; issued: number; replacement?: string }

/** Sessions of all nodes. Each works on the node that created it only. */
export class Sessions {
  readonly #users: readonly User[]
  readonly #clock: Clock
  readonly #switches: Switches
  #tokens = new Map<string, Token>()
  readonly #failedLogins = new Map<string, number>()

  constructor(users: readonly User[], clock: Clock, switches: Switches) {
    this.#users = users
    this.#clock = clock
    this.#switches = switches
  }

  get openCount(): number {
    this.#expire()
    return new Set([...this.#tokens.values()].map(({ session }) => session)).size
  }

  clear(): void {
    this.#tokens.clear()
  }

  /** Answers a request for `/session/1/session`. */
  answer(request: Incoming): Answer {
    if (request.method === 'POST') return this.#login(request)
    const { session } = this.#tokenOf(request)
    if (request.method === 'GET') return json(200, this.#describe(session))
    if (request.method !== 'DELETE') throw refused('AEC_METHOD_NOT_ALLOWED', 'Method not allowed')
    for (const [text, token] of this.#tokens) if (token.session === session) this.#tokens.delete(text)
    return noContent
  }

  /** Returns the user of a request, and the cookies to set. Throws the 401 of a request without a valid session. */
  authorize(request: Incoming, service: Service): { user: User; cookies: string[] } {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (basic && this.#switches.acceptsBasic) {
      const [username = '', ...password] = Buffer.from(basic, 'base64').toString().split(':')
      return { user: this.#check(username, password.join(':')), cookies: [] }
    }
    const token = this.#tokenOf(request)
    if (!token.session.services.includes(service)) throw unauthorized(this.#switches.unauthorizedAs)
    return { user: token.session.user, cookies: this.#replacementOf(token) }
  }

  #login(request: Incoming): Answer {
    const { username, password, services } = bodyOf(request, {
      username: 'string',
      password: 'string',
      services: 'array',
    })
    const user = this.#check(String(username), String(password))
    if (this.openCount >= this.#switches.maxSessions) throw refused('AEC_LIMIT_EXCEEDED', 'Too many open sessions.')
    const [now, csrf] = [this.#clock.now(), randomUUID()]
    const session = { user, services: (services as unknown[]).map(String), node: request.node, csrf, created: now }
    const cookies = [sessionCookie(this.#issue({ session, issued: now }))]
    if (this.#switches.sendsCsrfCookie) cookies.push(`isicsrf=${csrf}; path=/; Secure`)
    const answer = json(201, this.#describe(session))
    return { ...answer, headers: { ...answer.headers, 'set-cookie': cookies } }
  }

  #check(username: string, password: string): User {
    const user = this.#users.find((user) => user.username === username)
    const failed = this.#failedLogins.get(username) ?? 0
    const isLocked = failed >= this.#switches.maxFailedLogins
    if (user?.password !== password) this.#failedLogins.set(username, failed + 1)
    if (!user || user.password !== password || isLocked || user.without?.includes('ISI_PRIV_LOGIN_PAPI'))
      throw unauthorized('json', 'Username or password is incorrect.')
    this.#failedLogins.delete(username)
    return user
  }

  #tokenOf({ headers, node }: Incoming): Token {
    this.#expire()
    const token = this.#tokens.get(cookieOf(headers, 'isisessid') ?? '')
    const origin = `https://${headers.host}`
    const referer = headers.referer ?? headers.origin ?? ''
    const isProtected =
      !this.#switches.sendsCsrfCookie ||
      (headers['x-csrf-token'] === token?.session.csrf && (referer === origin || referer.startsWith(`${origin}/`)))
    if (token?.session.node !== node || !isProtected) throw unauthorized(this.#switches.unauthorizedAs)
    return token
  }

  /** Cookie of the replacement, in the second half of a token's life. The old token works until its limit. */
  #replacementOf(token: Token): string[] {
    const now = this.#clock.now()
    if (token.issued + this.#switches.inactiveLimit - now > this.#switches.inactiveLimit / 2) return []
    if (!this.#tokens.has(token.replacement ?? ''))
      token.replacement = this.#issue({ session: token.session, issued: now })
    return [sessionCookie(token.replacement ?? '')]
  }

  #issue(token: Token): string {
    const text = randomBytes(24).toString('base64url')
    this.#tokens.set(text, token)
    return text
  }

  #expire(): void {
    const now = this.#clock.now()
    const { inactiveLimit, absoluteLimit } = this.#switches
    for (const [text, { session, issued }] of this.#tokens)
      if (now >= issued + inactiveLimit || now >= session.created + absoluteLimit) this.#tokens.delete(text)
  }

  #describe({ services, user }: Session): object {
    const { absoluteLimit, inactiveLimit } = this.#switches
    return { services, timeout_absolute: absoluteLimit, timeout_inactive: inactiveLimit, username: user.username }
  }
}

const sessionCookie = (token: string): string => `isisessid=${token}; path=/; HttpOnly; Secure; SameSite=strict`

const cookieOf = ({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined =>
  cookie
    .split(/; ?/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
