import { z } from 'zod'
import { isLoopback } from '#events/node/loopback.ts'
import { type Role, roles } from '#events/contract/needs.ts'

/** The provider of a single sign-on, and the roles of its groups. */
export type SingleSignOn = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The claims with a user's groups: names, or paths such as `resource_access.app.roles`. */
  groupsClaims: readonly string[]
  groupRoles: readonly GroupRole[]
  /** Further scopes to ask for. */
  scopes: readonly string[]
}
type GroupRole = { group: string; role: Role }

const isRole = (word: string): word is Role => (roles as readonly string[]).includes(word)

/** Attributes of distinguished names, such as CN=admins,OU=Groups. */
const partOfName = /^\s*(CN|OU|DC|O|L|ST|C|UID|STREET)\s*=/i

/** Splits at commas, but not within a distinguished name, whose last part ends with `=ROLE`. */
function assignmentsIn(value: string): string[] {
  const assignments: string[] = []
  let name = ''
  for (const word of value.split(',')) {
    name += name === '' ? word : `,${word}`
    if (partOfName.test(word) && !/=\s*ROLE_\w+\s*$/.test(word)) continue
    assignments.push(name)
    name = ''
  }
  return [...assignments, name].filter((words) => words.trim())
}

/** `group=ROLE, group=ROLE`; repeat a group with several roles. A group may be a distinguished name. */
const GroupRoles = z.string().transform((value, context): GroupRole[] =>
  assignmentsIn(value).flatMap((words) => {
    const at = words.lastIndexOf('=')
    const [group, role] = [words.slice(0, Math.max(at, 0)).trim(), words.slice(at + 1).trim()]
    if (group && isRole(role)) return { group, role }
    const wrong = group
      ? `${role} is not a role; the roles are ${roles.join(', ')}`
      : `"${words.trim()}" is not group=ROLE`
    context.addIssue({ code: 'custom', message: wrong })
    return []
  }),
)

const Scopes = z.string().transform((value) => value.split(/[\s,]+/).filter((name) => name))

const GroupsClaims = z.string().transform((value) =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name),
)

/** Over http, secrets and names are unencrypted, so only this machine may use it. */
export const SecureAddress = z.url({ protocol: /^https?$/, error: 'must be an https address' }).refine((address) => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLoopback(hostname)
}, 'must be an https address')

/** The environment variables for it. */
export const singleSignOnVariables = {
  OIDC_ISSUER: SecureAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_GROUPS_CLAIM: GroupsClaims.default(['groups']),
  OIDC_ROLES: GroupRoles.default([]),
  OIDC_SCOPES: Scopes.default([]),
}
type Variables = z.output<z.ZodObject<typeof singleSignOnVariables>>

/** Throws a readable sentence if it is only partly configured. */
export function singleSignOnOf(env: Variables): SingleSignOn | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  if (!issuer && !clientId && !clientSecret) return undefined
  if (!issuer || !clientId || !clientSecret) {
    throw new Error('Single sign-on needs OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; one of them is not set')
  }
  const { OIDC_GROUPS_CLAIM: groupsClaims, OIDC_ROLES: groupRoles, OIDC_SCOPES: scopes } = env
  return { issuer, clientId, clientSecret, groupsClaims, groupRoles, scopes }
}
