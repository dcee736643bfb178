import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { crud, endpoint } from '#events/contract/endpoint.ts'
import { metricsRole, tokenRoles } from '#events/contract/needs.ts'

/** Roles of a token: some of its owner's, or only the one for metrics. */
const TokenRoles = z
  .array(z.enum(tokenRoles))
  .max(50)
  .default([])
  .refine(
    (roles) => !roles.includes(metricsRole) || roles.every((role) => role === metricsRole),
    "Metrics can't be combined with other roles",
  )

/** Path at which programs with an API token call the product by the Model Context Protocol. */
export const mcpPath = '/mcp'
/** Path of the command line, one file for Node. It needs no sign-in, because it contains no secret. */
export const commandLinePath = '/cli/dataintell'

/** A token for scripts, sent as `Authorization: Bearer`. */
export const ApiTokenDraft = z.object({
  name: nameText({ max: 100 }),
  roles: TokenRoles,
  /** Days until the token expires. */
  days: z.int().min(1, 'must be at least 1').max(366, 'must be at most 366').default(90),
})
export type ApiTokenDraft = z.output<typeof ApiTokenDraft>

/**
 * Acts for its owner, with those of its roles that the owner still has. It ends with the owner's account or password,
 * and when a role is removed.
 */
export const ApiToken = z.object({
  id: z.int(),
  name: z.string(),
  owner: z.string(),
  /** While the owner is disabled, the token is refused. */
  isOwnerDisabled: z.boolean(),
  roles: z.array(z.enum(tokenRoles)),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  isExpired: z.boolean(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

/** The only response with the token itself: the server keeps a hash of it. */
export const NewApiToken = z.object({
  id: z.int(),
  name: z.string(),
  token: z.string(),
  expiresAt: z.iso.datetime(),
})
export type NewApiToken = z.infer<typeof NewApiToken>

const table = crud('/v1/apiTokens', {
  entity: ApiToken,
  draft: ApiTokenDraft,
  one: 'the API token',
  many: 'the API tokens',
  needs: 'users.edit',
})
export const apiTokens = {
  list: table.list,
  create: endpoint({ ...table.create, answer: NewApiToken, confirm: true }),
  remove: table.remove,
}
