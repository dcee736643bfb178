import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { isText } from '#events/contract/fileNames.ts'
import { EmailAddress } from '#events/contract/names.ts'

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
    limitedBy: 'own',
    failure: 'Unable to check the email addresses',
    query: z.object({
      address: z.preprocess(
        (given) => (typeof given === 'string' ? [given] : given),
        z.array(z.string().max(255).refine(isText, 'has an invalid character')).max(50),
      ) as z.ZodType<string[], string[]>,
    }),
    answer: z.array(z.string()),
  }),
  /** Sends a code to an address. The message of a 409 is the reason why it could not be sent. */
  send: endpoint({
    method: 'POST',
    path: '/v1/emails/confirmations',
    needs,
    limitedBy: 'own',
    failure: 'Unable to send the code',
    body: z.object({ address: EmailAddress }),
  }),
  confirm: endpoint({
    method: 'PUT',
    path: '/v1/emails/confirmations',
    needs,
    limitedBy: 'own',
    failure: 'Unable to confirm the address',
    body: z.object({ address: EmailAddress, code: z.string().trim().min(1, 'must not be blank').max(20) }),
  }),
}

/** The domains of a list, in lower case. Subdomains don't count. */
export const domainsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((domain) => domain !== '')

/** Returns whether each entry of a list is a domain, such as `example.com`. */
export const isDomainList = (text: string): boolean =>
  domainsIn(text).every((domain) => /^([\w-]+\.)+[\w-]+$/.test(domain))
export const domainListRule = 'Domains must be names such as example.com, separated by commas'
