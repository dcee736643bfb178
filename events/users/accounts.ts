import { z } from 'zod'
import { type Endpoint, Id, crud, endpoint } from '#events/contract/endpoint.ts'
import { EmailAddress, nameText } from '#events/contract/names.ts'
import { roles } from '#events/contract/needs.ts'
import { Limits } from './limits.ts'
import { currentUserInfo } from './session.ts'

/** Assigned roles. Without any, a user has the permissions of every signed-in user. */
export const AssignedRoles = z.array(z.enum(roles)).max(50).default([])

/**
 * Fields that an administrator sets. Names of earlier versions may stay; new ones are checked as in `NewUserDraft`.
 * Disabling an account ends its sessions and tokens, and blocks sign-in.
 */
export const UserDraft = z.object({
  name: z.string().trim().min(1, 'must not be blank').max(255),
  email: EmailAddress.nullable().default(null),
  roles: AssignedRoles,
  isDisabled: z.boolean().default(false),
})
export type UserDraft = z.output<typeof UserDraft>

/** `limits`: what the user sees from the start; everything by default. */
export const NewUserDraft = UserDraft.extend({ name: nameText(), limits: Limits.optional() })

export const User = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string().nullable(),
  roles: z.array(z.enum(roles)),
  isDisabled: z.boolean(),
  /** True for an account of single sign-on: the provider supplies its name and roles, and it has no password here. */
  isOfProvider: z.boolean(),
  /** True until the user replaces the password that an administrator was shown. */
  hasOneTimePassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSignInAt: z.iso.datetime().nullable(),
  /** Limits of the user, if there are any; groups may add to them. */
  limits: Limits.optional(),
  /** True if the user doesn't see everything, by limits of the user or of groups. */
  isLimited: z.literal(true).optional(),
})
export type User = z.infer<typeof User>

/** The only response with this password. Users who sign in with it must first choose another. */
export const OneTimePassword = z.object({ id: z.int(), name: z.string(), password: z.string() })
export type OneTimePassword = z.infer<typeof OneTimePassword>

const table = crud('/v1/users', {
  entity: User,
  draft: UserDraft,
  one: 'the user',
  many: 'the users',
  needs: 'users.edit',
})
/** At least one enabled administrator with a password must remain: 409. */
export const users = {
  ...table,
  create: endpoint({ ...table.create, body: NewUserDraft, answer: OneTimePassword, confirm: true }),
  update: endpoint({ ...table.update, confirm: true }),
  remove: endpoint({ ...table.remove, confirm: true }),
  /** Sets a one-time password for a user and ends their sessions and API tokens. */
  resetPassword: endpoint({
    method: 'POST',
    path: '/v1/users/:id/password',
    needs: 'users.edit',
    failure: 'Unable to reset the password',
    params: Id,
    answer: OneTimePassword,
    confirm: true,
  }),
}

export const OwnPassword = z.object({
  /** Not required after a sign-in with a one-time password. */
  currentPassword: z.string().max(1_000).default(''),
  newPassword: z.string().min(12, 'must have at least 12 characters').max(1_000),
})

/** Changes the caller's own password and ends their other sessions. Its body has the current password. */
export const changeOwnPassword = endpoint({
  method: 'PUT',
  path: '/currentUserInfo/password',
  needs: 'snapshots.see',
  limitedBy: 'own',
  failure: 'Unable to change the password',
  body: OwnPassword,
  browserOnly: true,
})

const beforeOwnPassword: readonly Endpoint[] = [currentUserInfo, changeOwnPassword]

/** Calls that are allowed before a one-time password is replaced. */
export const isCallBeforeOwnPassword = (call: Endpoint): boolean => beforeOwnPassword.includes(call)
