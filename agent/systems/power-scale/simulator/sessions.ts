import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { type Answer, parseJson } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { refused, unauthorized } from './answers.ts'
import type { Clock } from '#agent/simulator/clock.ts'
import type { Switches } from './switches.ts'

export type Privilege =
  | 'ISI_PRIV_NS_IFS_ACCESS'
  | 'ISI_PRIV_SNAPSHOT'
  | 'ISI_PRIV_JOB_ENGINE'
  | 'ISI_PRIV_STATISTICS'
  | 'ISI_PRIV_QUOTA'

/** A user has all privileges except those in `without`. */
export type User = { username: string; password: string; without?: readonly Privilege[] }

type Session = { user: User; services: string[]; csrf: string }
/** A session has another token after a replacement. Each token has an inactive limit of its own. */
type Token = { session: Session; issued: number; replacement?: string }

const Login = z.strictObject({ username: z.string(), password: z.string(), services: z.array(z.string()) })

/** Sessions of the cluster. */
export class Sessions {
  readonly #users: readonly User[]
  readonly #clock: Clock
  readonly #switches: Switches
  #tokens = new Map<string, Token>()

  constructor(users: readonly User[], clock: Clock, switches: Switches) {
    this.#users = users
    this.#clock = clock
    this.#switches = switches
  }

  get openCount(): number {
    this.#expire()
    return new Set([...this.#tokens.values()].map(({ session }) => session)).size
  }

  /** Answers a request for `/session/1/session`. */
  answer(request: SimulatedRequest): Answer {
    if (request.method === 'POST') return this.#login(request)
    const { session } = this.#tokenOf(request)
    if (request.method !== 'DELETE') throw refused('AEC_METHOD_NOT_ALLOWED', 'Method not allowed')
    for (const [text, token] of this.#tokens) if (token.session === session) this.#tokens.delete(text)
    return { status: 204 }
  }

  /** Returns the user of a request, and the cookies to set. Throws the 401 of a request without a valid session. */
  authorize(request: SimulatedRequest, service: 'platform' | 'namespace'): { user: User; cookies: string[] } {
    const token = this.#tokenOf(request)
    if (!token.session.services.includes(service)) throw unauthorized(this.#switches.unauthorizedAs)
    return { user: token.session.user, cookies: this.#replacementOf(token) }
  }

  #login({ body }: SimulatedRequest): Answer {
    const wrong = (field: string) => refused('AEC_BAD_REQUEST', `Property ${field} is wrong.`, field)
    const { username, password, services } = parseJson(body, Login, wrong)
    const user = this.#users.find((each) => each.username === username && each.password === password)
    if (!user) throw unauthorized('json', 'Username or password is incorrect.')
    const csrf = randomUUID()
    const token = this.#issue({ session: { user, services, csrf }, issued: this.#clock.now() })
    const cookies = [sessionCookie(token)]
    if (this.#switches.sendsCsrfCookie) cookies.push(`isicsrf=${csrf}; path=/; Secure`)
    return { status: 201, body: { services, username }, headers: { 'set-cookie': cookies } }
  }

  #tokenOf({ headers }: SimulatedRequest): Token {
    this.#expire()
    const token = this.#tokens.get(cookieOf(headers, 'isisessid') ?? '')
    const origin = `https://${headers.host}`
    const { referer = '' } = headers
    const isProtected =
      !this.#switches.sendsCsrfCookie ||
      (headers['x-csrf-token'] === token?.session.csrf && (referer === origin || referer.startsWith(`${origin}/`)))
    if (!token || !isProtected) throw unauthorized(this.#switches.unauthorizedAs)
    return token
  }

  /** Cookie of the replacement, in the second half of a token's life. The old token works until its limit. */
  #replacementOf(token: Token): string[] {
    const now = this.#clock.now()
    if (now - token.issued < this.#switches.inactiveLimit / 2) return []
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
    const oldest = this.#clock.now() - this.#switches.inactiveLimit
    for (const [text, { issued }] of this.#tokens) if (issued <= oldest) this.#tokens.delete(text)
  }
}

const sessionCookie = (token: string): string => `isisessid=${token}; path=/; HttpOnly; Secure; SameSite=strict`

const cookieOf = ({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined =>
  cookie
    .split(/; ?/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
