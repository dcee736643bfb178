import { domainsIn } from '#events/notifications/addresses.ts'
import { EmailAddress } from '#events/contract/names.ts'
import { configured } from '#server/access/configurations/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/**
 * Returns the address of each owner; null without one. It is the confirmed one of a user with the name of the owner or, at the domain of the
 * policy or an allowed one, with that part before the `@`: users set their address themselves, and must not get the files of others by
 * calling themselves root@elsewhere. Otherwise it is the owner's name at the domain of the policy, if there is one.
 */
export async function findAddresses(
  db: Db,
  owners: readonly string[],
  domain: string | null,
): Promise<Map<string, string | null>> {
  const domains = [
    ...(domain === null ? [] : [domain.toLowerCase()]),
    ...domainsIn(await configured(db, 'allowedMailDomains')),
  ]
  const users = await db
    .selectFrom('users')
    .select(['name', 'email'])
    .whereRef('email', '=', 'confirmedEmail')
    .where('disabledAt', 'is', null)
    .execute()
  const known = users.flatMap(({ name, email }) => (email === null ? [] : [{ name, email }]))
  const byName = Map.groupBy(known, ({ name }) => loginOf(name))
  const trusted = known.filter(({ email }) => domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase()))
  const byAddress = Map.groupBy(trusted, ({ email }) => loginOf(email))
  const addressOf = (owner: string) => {
    const login = loginOf(owner)
    const users = byName.get(login) ?? byAddress.get(login) ?? []
    // Several users with this name, in different domains: any of them may be the owner.
    const [user] = users.length === 1 ? users : users.filter(({ name }) => name.toLowerCase() === owner.toLowerCase())
    if (user) return user.email
    const { data } = EmailAddress.safeParse(`${login}@${domain ?? ''}`)
    return login.length > 64 ? null : (data ?? null)
  }
  return new Map(owners.map((owner) => [owner, addressOf(owner)]))
}

/** The name without the domain in front or behind: `FILMS\Ana` and `ana@films.example` are `ana`. */
const loginOf = (name: string): string =>
  name
    .replace(/^[^\\]*\\/, '')
    .replace(/@.*$/s, '')
    .toLowerCase()
