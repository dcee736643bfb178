import type { Endpoint } from '#events/contract/endpoint.ts'

let calls: Readonly<Record<string, Endpoint>> = {}

/** Loads the calls of all screens. Only pages of users with limits need them, and all others load less. */
export async function loadScreenCalls(): Promise<void> {
  calls = (await import('./callsOfScreens.ts')).callsOfScreens
}

/** The call that the screen of an address needs, if there is one; loaded before with `loadScreenCalls`. */
export function callOfScreen(address: string): Endpoint | undefined {
  const [path = ''] = address.split('?')
  return Object.entries(calls).find(([start]) => path === start || path.startsWith(`${start}/`))?.[1]
}
