import { domainsIn } from '#events/notifications/addresses.ts'
import { EmailAddress } from '#events/contract/names.ts'
import { configured } from '#server/access/configurations/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/**
 * Returns the address of each owner; null without one. It is the confirmed one of a user with the name of the owner or, at the domain of the
 * policy or an allowed one, with that part before the `@`: users set their address themselves, and must not get the files of others by
 * calling themselves root@elsewhere. Names with a domain count as owners of other domains only if theirs is one of these, too. Otherwise it is
 * the owner's name at the domain of the policy, if there is one and the name is a person's.
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
  const userOf = findUsers(known, owners, (name) => domains.includes(domainOf(name)))
  const addressOf = (owner: string) => {
    const { user, isAmbiguous } = userOf(owner)
    if (user) return user.email
    const login = loginOf(owner)
    if (isAmbiguous || isOfSystem(owner) || login.length > 64) return null
    return EmailAddress.safeParse(`${login}@${domain ?? ''}`).data ?? null
  }
  return new Map(owners.map((owner) => [owner, addressOf(owner)]))
}

type User = { name: string; email: string }

/** Returns a function that finds the user of an owner. An owner is ambiguous if one of another domain has the same login. */
function findUsers(known: readonly User[], owners: readonly string[], isTrusted: (name: string) => boolean) {
  // A user from a domain that isn't trusted may have any name there.
  const named = known.filter(({ name }) => !domainBehind.test(name) || isTrusted(name))
  const byName = Map.groupBy(named, ({ name }) => loginOf(name))
  const trusted = known.filter(({ email }) => isTrusted(email))
  const byAddress = Map.groupBy(trusted, ({ email }) => loginOf(email))
  const byLogin = Map.groupBy(owners, loginOf)
  return (owner: string): { user: User | undefined; isAmbiguous: boolean } => {
    const login = loginOf(owner)
    const others = [owner, ...(byLogin.get(login) ?? [])].map(domainOf).filter((other) => other !== '')
    const isAmbiguous = domainOf(owner) !== '' && new Set(others).size > 1 && !isTrusted(owner)
    const isSame = ({ name }: User) => name.toLowerCase() === owner.toLowerCase()
    const isOfAny = ({ name }: User) => domainOf(name) === '' || isTrusted(name)
    const users = (byName.get(login) ?? []).filter((user) => isSame(user) || (!isAmbiguous && isOfAny(user)))
    const found = users.length > 0 || isAmbiguous ? users : (byAddress.get(login) ?? [])
    // Several users with this name, in different domains: any of them may be the owner.
    return { user: found.length === 1 ? found[0] : found.find(isSame), isAmbiguous }
  }
}

const domainBehind = /@([^@\s]*)$/

/** The name without the domain in front or behind: `FILMS\Ana` and `ana@films.example` are `ana`. */
const loginOf = (name: string): string =>
  name
    .replace(/^[^\\]*\\/, '')
    .replace(domainBehind, '')
    .toLowerCase()

/** The domain in front or behind, in lower case; empty without one. */
const domainOf = (name: string): string =>
  (domainBehind.exec(name) ?? /^([^\\]*)\\/.exec(name))?.[1]?.toLowerCase() ?? ''

/** Accounts of systems and services, which have no mailbox of one person: also numbers, SIDs, computers (`PC7$`) and names such as `_www`. */
const isOfSystem = (owner: string): boolean =>
  /^(builtin|[^\\]* [^\\]*)\\/i.test(owner) ||
  /^(\d+|s-\d+(-\d+)+|_.*|.*\$|systemd-.*|no(body|group))$/.test(loginOf(owner)) ||
  systemAccounts.has(loginOf(owner))

const systemAccounts = new Set(
  `root toor daemon bin sys sync games man lp mail news uucp proxy www www-data backup list irc gnats nfsnobody adm shutdown halt
  operator ftp sshd apache nginx httpd mysql postgres tomcat jenkins docker admin administrator administrators guest guests system everyone
  users wheel staff service unknown`.split(/\s+/),
)
