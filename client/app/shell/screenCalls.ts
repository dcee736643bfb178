import type { Endpoint } from '#events/contract/endpoint.ts'
import type { CurrentUser } from '#events/users/session.ts'
import { userMay } from '#client/app/session.state.ts'

type Rights = Pick<Endpoint, 'needs' | 'limitedBy'>

const limitedTo = (limitedBy: NonNullable<Endpoint['limitedBy']>): Rights => ({ needs: 'snapshots.see', limitedBy })

/**
 * Rights of the call that each screen needs, by the start of its path. The dashboard has only its own path. They are copies, which a test
 * compares with the calls: these would be a tenth of the first page.
 */
export const screenCalls = {
  '/': limitedTo('storages'),
  '/storages': limitedTo('storages'),
  '/volumes': limitedTo('storages'),
  '/filemanagement': limitedTo('entries'),
  '/folders': limitedTo('entries'),
  '/map': limitedTo('entries'),
  '/comparison': limitedTo('entries'),
  '/projects': limitedTo('projects'),
  '/project': limitedTo('projects'),
  '/reports': limitedTo('entries'),
  '/report': limitedTo('entries'),
  '/policies': { needs: 'policies.edit', limitedBy: 'refused' },
  '/policy': { needs: 'policies.edit', limitedBy: 'refused' },
  '/search': limitedTo('entries'),
  '/settings/jobs': { needs: 'jobs.see', limitedBy: 'own' },
  '/alerts': limitedTo('refused'),
} satisfies Record<string, Rights>

/** Rights of the call that the screen of an address needs, if there is one. */
export function callOfScreen(address: string): Rights | undefined {
  const [path = ''] = address.split('?')
  return Object.entries<Rights>(screenCalls).find(([start]) => path === start || path.startsWith(`${start}/`))?.[1]
}

/** Returns whether a user may make the call that a screen needs. */
export function mayOpen(user: CurrentUser | undefined, address: string): boolean {
  const call = callOfScreen(address)
  return call === undefined || userMay(user, call)
}
