import { z } from 'zod'
import { type Endpoint, Id, crud, endpoint } from '#events/contract/endpoint.ts'
import { roles } from '#events/contract/needs.ts'
import { currentUserInfo } from './session.ts'

/** Roles that are given; without any, one may what everyone may who is signed in. */
export const GivenRoles = z.array(z.enum(roles)).max(50).default([])

/** What an administrator sets of an account. A disabled one cannot sign in, and what it was signed in with is ended. */
export const UserDraft = z.object({
  name: z.string().trim().min(1, 'must not be blank').max(255),
  email: z.email('must be a well-formed email address').max(255).nullable().default(null),
  roles: GivenRoles,
  isDisabled: z.boolean().default(false),
})
export type UserDraft = z.output<typeof UserDraft>

/** The caller's own password, said again; those of a single sign-on have none. */
export const OwnPasswordAgain = z.string().max(1_000).default('')

/** Making an account is proof against a browser that was left open. */
export const NewUserDraft = UserDraft.extend({ ownPassword: OwnPasswordAgain })

export const User = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string().nullable(),
  roles: z.array(z.enum(roles)),
  isDisabled: z.boolean(),
  /** An account of the single sign-on: the provider says its name and its roles, and it has no password here. */
  isOfProvider: z.boolean(),
  /** It still has the password that an administrator was shown. */
  hasOneTimePassword: z.boolean(),
  createdAt: z.iso.datetime(),
  lastSignInAt: z.iso.datetime().nullable(),
})
export type User = z.infer<typeof User>

/** A password that is shown here alone; whoever signs in with it has to choose another before anything else. */
export const OneTimePassword = z.object({ id: z.int(), name: z.string(), password: z.string() })
export type OneTimePassword = z.infer<typeof OneTimePassword>

const table = crud('/v1/users', {
  entity: User,
  draft: UserDraft,
  one: 'the user',
  many: 'the users',
  needs: 'users.edit',
})
/** What would leave no enabled administrator with a password is refused: 409. */
export const users = {
  ...table,
  create: endpoint({ ...table.create, body: NewUserDraft, answer: OneTimePassword }),
  /** Gives a user a one-time password and ends their sessions and API tokens. */
  resetPassword: endpoint({
    method: 'POST',
    path: '/v1/users/:id/password',
    needs: 'users.edit',
    failure: 'Unable to reset the password',
    params: Id,
    answer: OneTimePassword,
  }),
}

export const OwnPassword = z.object({
  /** Not asked of those who came with a one-time password. */
  currentPassword: z.string().max(1_000).default(''),
  newPassword: z.string().min(12, 'must have at least 12 characters').max(1_000),
})

/** Changes the caller's own password and ends their other sessions. */
export const changeOwnPassword = endpoint({
  method: 'PUT',
  path: '/currentUserInfo/password',
  needs: 'snapshots.see',
  failure: 'Unable to change the password',
  body: OwnPassword,
})

const beforeOwnPassword: readonly Endpoint[] = [currentUserInfo, changeOwnPassword]

/** Whether those may make a call who came with a one-time password and have not yet chosen their own. */
export const isCallBeforeOwnPassword = (call: Endpoint): boolean => beforeOwnPassword.includes(call)
