import { expect, test } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { type Bundle, bundles, lockedMessages, needs, type Role, roles } from '#events/contract/needs.ts'
import { testSession } from '#server/testing.ts'
import { nameOf, openAllCalls } from './testing/allCalls.ts'
import { appOfChecks, bySession, expected, isFor, outcomes, refused } from './testing/roles.ts'

const { platform, calls } = await openAllCalls()

/** The bundle of each role that is for the use of one. */
const bundleOfRole: Partial<Record<Role, Bundle>> = {
  ROLE_ARCHIWARE_ARCHIVE: 'archiwareP5',
  ROLE_ARCHIWARE_RESTORE: 'archiwareP5',
  ROLE_SODA_TRANSFER: 'soda',
  ROLE_STORAGE_MANAGER_ARCHIVE: 'storageManager',
  ROLE_STORAGE_MANAGER_RESTORE: 'storageManager',
  ROLE_ICONIK_UPLOAD: 'iconik',
}
/** Words in the paths of calls that are about one bundle. */
const wordsOf: Record<Bundle, RegExp> = {
  storageManager: /stornext|storageManager/i,
  archiwareP5: /archiware|\/archived$/i,
  soda: /soda|transfer/i,
  iconik: /iconik/i,
}

/** No bundle, each one alone, and all. */
const licenses: (readonly Bundle[])[] = [[], ...bundles.map((bundle) => [bundle]), bundles]
const roleSets: (readonly Role[])[] = [[], ...roles.map((role) => [role])]
const cells = licenses.flatMap((licensed) =>
  roleSets.map((held) => [held.join() || 'no role', licensed.join(', ') || 'no bundle', held, licensed] as const),
)
const gated = calls.filter(({ bundle }) => bundle !== undefined)
/** One call of each permission that needs no bundle. */
const others = [...new Map(calls.flatMap((call) => (call.bundle ? [] : [[call.needs, call] as const]))).values()]

const sessions = Promise.all(
  roleSets.map(async (held) => [held, await testSession(platform.db, [...held])] as const),
).then((made) => new Map(made))

/** The bundle that a call has to need: that of its path, or of all its roles except administrators. */
function bundleOf(call: Endpoint): Bundle | undefined {
  const users: 'anyone' | 'signed in' | readonly Role[] = needs[call.needs]
  const ofRoles = new Set(typeof users === 'string' ? [] : users.map((role) => bundleOfRole[role]))
  return bundles.find((bundle) => wordsOf[bundle].test(call.path)) ?? (ofRoles.size === 1 ? [...ofRoles][0] : undefined)
}

test('every call about a bundle, or for its roles only, needs it', () => {
  const needed = (of: (call: Endpoint) => Bundle | undefined) => calls.map((call) => [nameOf(call), of(call)])
  expect(needed(({ bundle }) => bundle)).toEqual(needed(bundleOf))
  expect(gated.length).toBeGreaterThan(10)
})

test.concurrent.each(cells)('%s with %s', async (_, __, held, licensed) => {
  const app = appOfChecks({ ...platform, config: { ...platform.config, bundles: [...licensed] } }, [
    ...gated,
    ...others,
  ])
  const request = bySession(app, (await sessions).get(held))
  const rule = (call: Endpoint): string => {
    if (!isFor(held, call)) return refused.permission
    if (!call.bundle || licensed.includes(call.bundle)) return 'in'
    return `403 bundle: ${lockedMessages[call.bundle]}`
  }
  const tried = [...gated, ...others]
  expect(await outcomes(request, tried)).toEqual(expected(tried, rule))
})
