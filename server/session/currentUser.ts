import type { CurrentUser } from '#events/session.ts'
import type { Platform } from '#server/platform/platform.ts'

/** A user as the browser knows them, with the bundles that are licensed here. */
export async function findCurrentUser(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  userId: number,
): Promise<CurrentUser> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'roles'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const roles = user.roles.map((authority) => ({ authority }))
  const { bundles, supportUrl = null } = config
  return { id: String(user.id), name: user.name, email: user.email, roles, bundles, supportUrl }
}
