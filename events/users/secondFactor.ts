import { z } from 'zod'
import { type Endpoint, Id, endpoint } from '#events/contract/endpoint.ts'
import { changeOwnPassword } from './accounts.ts'
import { confirmIdentity, currentUserInfo } from './session.ts'

/** Users who can't do without a second factor, as configured. Accounts of single sign-on have that of their provider. */
export const requiredFor = ['nobody', 'administrators', 'everyone'] as const

/** Code of the answer 401 to a sign-in with the right password and no code. */
export const secondFactorCode = 'second-factor'

/** Six digits of an authenticator app, or a recovery code; spaces and dashes don't matter. */
export const Code = z.string().trim().max(100)

/** The second factor of the caller. */
export const SecondFactor = z.object({
  isOn: z.boolean(),
  /** When it was turned on. */
  since: z.iso.datetime().nullable(),
  /** Recovery codes that were not used yet. */
  recoveryCodes: z.int(),
  /** An administrator requires it, so it can't be turned off. */
  isRequired: z.boolean(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

/** A new secret: for typing, and as an `otpauth:` address for a QR code. Only this response has it. */
export const NewSecondFactor = z.object({ secret: z.string(), address: z.string() })
export type NewSecondFactor = z.infer<typeof NewSecondFactor>

/** Each signs in once in place of a code. Only this response has them. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

const path = '/v1/secondFactor'
const needs = 'snapshots.see'
export const secondFactor = {
  show: endpoint({
    method: 'GET',
    path,
    needs,
    limitedBy: 'own',
    failure: 'Unable to fetch your second factor',
    answer: SecondFactor,
  }),
  /** Makes a secret, which takes effect with `turnOn`. Throws 409 while a second factor is on. */
  begin: endpoint({
    method: 'POST',
    path,
    needs,
    limitedBy: 'own',
    failure: 'Unable to set up a second factor',
    answer: NewSecondFactor,
    confirm: true,
  }),
  /** Turns the second factor on with a code of the new secret, and ends the caller's other sessions. */
  turnOn: endpoint({
    method: 'PUT',
    path,
    needs,
    limitedBy: 'own',
    failure: 'Unable to turn on the second factor',
    body: z.object({ code: Code.min(1, 'must not be blank') }),
    answer: RecoveryCodes,
    browserOnly: true,
  }),
  /** Throws 409 for users who need one. */
  turnOff: endpoint({
    method: 'DELETE',
    path,
    needs,
    limitedBy: 'own',
    failure: 'Unable to turn off the second factor',
    confirm: true,
  }),
  /** Replaces the recovery codes. */
  renewCodes: endpoint({
    method: 'POST',
    path: `${path}/recoveryCodes`,
    needs,
    limitedBy: 'own',
    failure: 'Unable to make new recovery codes',
    answer: RecoveryCodes,
    confirm: true,
  }),
  /** For users who lost their device and codes: turns it off and ends their sessions. */
  remove: endpoint({
    method: 'DELETE',
    path: '/v1/users/:id/secondFactor',
    needs: 'users.edit',
    failure: 'Unable to remove the second factor',
    params: Id,
    confirm: true,
  }),
}

const beforeSecondFactor: readonly Endpoint[] = [
  currentUserInfo,
  changeOwnPassword,
  confirmIdentity,
  secondFactor.show,
  secondFactor.begin,
  secondFactor.turnOn,
]

/** Calls that are allowed before a required second factor is set up. */
export const isCallBeforeSecondFactor = (call: Endpoint): boolean => beforeSecondFactor.includes(call)
