/** The roles of the product; ROLE_ADMIN may do everything. */
export const roles = [
  'ROLE_ADMIN',
  'ROLE_PROJECT_MANAGER',
  'ROLE_ARCHIWARE_ARCHIVE',
  'ROLE_ARCHIWARE_RESTORE',
  'ROLE_SODA_TRANSFER',
  'ROLE_STORAGE_MANAGER_ARCHIVE',
  'ROLE_STORAGE_MANAGER_RESTORE',
  'ROLE_ICONIK_UPLOAD',
] as const
export type Role = (typeof roles)[number]

/** Whoever has one of these may start jobs of some type. */
const launchers = roles.filter((role) => role !== 'ROLE_ADMIN')

/** What a call may need, and who has it: anyone at all, any signed-in user, or the roles listed (beside ROLE_ADMIN). */
export const needs = {
  nothing: 'anyone',
  'snapshots.see': 'signed in',
  /** Tags of files and folders: all that can be changed of them. */
  'entries.tag': ['ROLE_PROJECT_MANAGER'],
  'settings.edit': [],
  'projects.edit': ['ROLE_PROJECT_MANAGER'],
  /** Accounts, their sessions and API tokens. */
  'users.edit': [],
  'scans.start': [],
  /** Plans and clients of Archiware P5, to archive and restore with. */
  'archiware.use': ['ROLE_ARCHIWARE_ARCHIVE', 'ROLE_ARCHIWARE_RESTORE'],
  /** Their own jobs, for all who may start some; those of others need `jobs.seeAll`. */
  'jobs.see': launchers,
  /** To cancel, pause and resume those that one may see. */
  'jobs.control': launchers,
  'jobs.seeAll': [],
  'events.see': [],
} as const satisfies Record<string, 'anyone' | 'signed in' | readonly Role[]>
export type Needs = keyof typeof needs

/** The bundles that a customer may have licensed. */
export const bundles = ['storageManager', 'archiwareP5', 'soda', 'iconik'] as const
export type Bundle = (typeof bundles)[number]

/** What users read where a bundle is not licensed. */
export const lockedMessages = {
  storageManager: 'Unlock Quantum StorNext Integration',
  archiwareP5: 'Unlock Archiware P5 Bundle',
  soda: 'Unlock SODA Integration',
  iconik: 'Unlock Iconik Integration',
} as const satisfies Record<Bundle, string>

/** Whether a user with these roles may do what is needed; no roles at all is nobody signed in. */
export function may(held: readonly Role[] | undefined, what: Needs): boolean {
  const who: 'anyone' | 'signed in' | readonly Role[] = needs[what]
  if (who === 'anyone') return true
  if (!held) return false
  return who === 'signed in' || held.includes('ROLE_ADMIN') || who.some((role) => held.includes(role))
}
