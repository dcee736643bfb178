import type { Role } from '#events/needs.ts'
import type { CurrentUser } from '#events/session.ts'
import type { Platform } from '#server/platform/platform.ts'

/** A user as the browser knows them, with the roles of the call and the bundles that are licensed here. */
export async function findCurrentUser(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  { id, roles: held }: { id: number; roles: readonly Role[] },
): Promise<CurrentUser> {
  const user = await db
    .selectFrom('users')
    .select(['name', 'email', 'issuer', 'hasOneTimePassword'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { bundles, supportUrl = null } = config
  return {
    id: String(id),
    name: user.name,
    email: user.email,
    roles: held.map((authority) => ({ authority })),
    bundles,
    isOfProvider: user.issuer !== null,
    mustChangePassword: user.hasOneTimePassword,
    supportUrl,
  }
}
