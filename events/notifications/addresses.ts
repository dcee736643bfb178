import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'

const Address = z.email('must be a well-formed email address').max(255)
const needs = 'snapshots.see'

/**
 * Emails only go to addresses that were confirmed with a code, that an administrator entered, or whose domain an
 * administrator allowed.
 */
export const addressConfirmations = {
  /** Returns those of the given addresses that receive no emails yet. */
  list: endpoint({
    method: 'GET',
    path: '/v1/emails/confirmations',
    needs,
    failure: 'Unable to check the email addresses',
    query: z.object({
      address: z
        .union([z.string().transform((one) => [one]), z.array(z.string())])
        .pipe(z.array(z.string().max(255)).max(50)),
    }),
    answer: z.array(z.string()),
  }),
  /** Sends a code to an address. The message of a 409 is the reason why it could not be sent. */
  send: endpoint({
    method: 'POST',
    path: '/v1/emails/confirmations',
    needs,
    failure: 'Unable to send the code',
    body: z.object({ address: Address }),
  }),
  confirm: endpoint({
    method: 'PUT',
    path: '/v1/emails/confirmations',
    needs,
    failure: 'Unable to confirm the address',
    body: z.object({ address: Address, code: z.string().trim().min(1, 'must not be blank').max(20) }),
  }),
}
