import { z } from 'zod'
import { crud, endpoint } from '#events/contract/endpoint.ts'
import { roles } from '#events/contract/needs.ts'
import { GivenRoles, OwnPasswordAgain } from './accounts.ts'

/** What a script signs its calls with, as `Authorization: Bearer`. */
export const ApiTokenDraft = z.object({
  name: z.string().trim().min(1, 'must not be blank').max(100),
  roles: GivenRoles,
  /** How long it is good for. */
  days: z.int().min(1, 'must be at least 1').max(366, 'must be at most 366').default(90),
  ownPassword: OwnPasswordAgain,
})
export type ApiTokenDraft = z.output<typeof ApiTokenDraft>

/** It speaks for its owner, with those of its roles that the owner still has, and ends with the owner's account or password, and when a role is taken from it. */
export const ApiToken = z.object({
  id: z.int(),
  name: z.string(),
  owner: z.string(),
  /** Then the token is refused, until its owner is enabled again. */
  isOwnerDisabled: z.boolean(),
  roles: z.array(z.enum(roles)),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  isExpired: z.boolean(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

/** The token itself is answered here alone: the server keeps a hash of it. */
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
  create: endpoint({ ...table.create, answer: NewApiToken, browserOnly: true }),
  remove: table.remove,
}
