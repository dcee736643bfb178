import { isIP } from 'node:net'
import type { Role } from '#events/contract/needs.ts'
import { blockedAs } from '#events/node/blockedAddresses.ts'

/** Returns the reason why a webhook of a user with these roles may not use an address; undefined if it may. */
export function refusedAddress(address: string, roles: readonly Role[]): string | undefined {
  const blocked = blockedAs(address)
  if (blocked === 'metadata') return 'must not be a link-local or cloud metadata address'
  if (blocked === undefined || roles.includes('ROLE_ADMIN')) return undefined
  return 'must not be an internal address; only administrators may use one'
}

/** Same for a whole address whose host is an IP address; host names are checked when it is sent. */
export function refusedHost(webhook: string, roles: readonly Role[]): string | undefined {
  const host = new URL(webhook).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? refusedAddress(host, roles) : undefined
}
