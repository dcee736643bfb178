import { ProxyFailed } from '#events/node/proxiedAgent.ts'
import type { SingleSignOnProblem } from '#events/users/singleSignOn.ts'
import { SignInRefusedError } from './signInRefusedError.ts'

/** Step of a sign-in: reading the provider's configuration, or its response about a user. */
type Step = 'discovery' | 'response'

/** The failure of a sign-in by its cause, with the details for the log. */
export function failureOf(error: unknown, step: Step, issuer: string): SignInRefusedError {
  if (error instanceof SignInRefusedError) return error
  const problem = problemOf(error, step)
  return new SignInRefusedError(problem, new Error(reasonOf(error, problem, issuer), { cause: error }))
}

function problemOf(error: unknown, step: Step): SingleSignOnProblem {
  const [facts, root] = [factsOf(error), factsOf(rootOf(error))]
  if (untrusted.test(root.code)) return 'certificate'
  if (isUnreachable(error) || (facts.status ?? 0) >= 500) return 'unreachable'
  if (facts.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'clock'
  if (isOtherIssuer(facts) || isOtherSender(error)) return 'otherIssuer'
  if (refusedClient.test(facts.error)) return 'refusedClient'
  if (facts.error === 'access_denied') return 'denied'
  return step === 'discovery' ? 'notFound' : 'unconfirmed'
}

/** True if the provider says that a refresh token is no longer valid: the user signed out there, or may not sign in. */
export const isSignInOver = (error: unknown): boolean =>
  [error, (error as Error).cause, rootOf(error)].some((each) => factsOf(each).error === 'invalid_grant')

const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/
const refusedClient = /^(invalid_client|unauthorized_client)$/

const isUnreachable = (error: unknown): boolean =>
  error instanceof ProxyFailed ||
  (error instanceof Error && (error.message === 'fetch failed' || factsOf(error).code === 'OAUTH_TIMEOUT'))

const isOtherIssuer = ({ code, attribute, claim }: Facts): boolean =>
  (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && attribute === 'issuer') ||
  (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' && claim === 'iss')

/** The response itself may name its issuer, which has no code of its own. */
const isOtherSender = (error: unknown): boolean =>
  [error, rootOf(error)].some((each) => each instanceof Error && each.message.startsWith('unexpected "iss"'))

/** Fields of an error of openid-client, which has details in its cause. */
type Facts = {
  code: string
  error: string
  status: number | undefined
  attribute: unknown
  claim: unknown
  issuer: string | undefined
}

function factsOf(error: unknown): Facts {
  const own = fieldsOf(error)
  const cause = fieldsOf(own['cause'])
  const status = [own['status'], cause['status']].find((value) => typeof value === 'number')
  const issuer = fieldsOf(cause['body'])['issuer'] ?? fieldsOf(cause['claims'])['iss']
  return {
    code: textOf(own['code']),
    error: textOf(own['error']),
    status: typeof status === 'number' ? status : undefined,
    attribute: cause['attribute'],
    claim: cause['claim'],
    issuer: typeof issuer === 'string' ? issuer : undefined,
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The first cause of an error, such as the code of a socket behind "fetch failed". */
function rootOf(error: unknown): unknown {
  let root = error
  for (let depth = 0; depth < 5 && root instanceof Error && root.cause !== undefined; depth++) root = root.cause
  return root
}

function reasonOf(error: unknown, problem: SingleSignOnProblem, issuer: string): string {
  const facts = factsOf(error)
  if (problem === 'otherIssuer' && facts.issuer !== undefined)
    return `OIDC_ISSUER is ${issuer}, but the provider names itself ${facts.issuer}`
  if (problem === 'notFound') return `${issuer} has no OpenID Connect configuration${statusText(facts)}`
  const [own, root] = [error, rootOf(error)].map((each) => (each instanceof Error ? each.message : textOf(each)))
  const detail = facts.error || (root && root !== own ? root : '')
  return `${own || problem}${detail && `: ${detail}`}${statusText(facts)}`
}

const statusText = ({ status }: Facts): string => (status === undefined ? '' : ` (status ${status})`)

/** The issuer that the provider's configuration names, if it differs from the expected one in slashes at its end alone. */
export function issuerWithSlash(error: unknown, issuer: string): string | undefined {
  const facts = factsOf(error)
  const named = isOtherIssuer(facts) ? facts.issuer : undefined
  return named !== undefined && withoutSlash(named) === withoutSlash(issuer) ? named : undefined
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')
