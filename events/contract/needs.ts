/** Roles of users. ROLE_ADMIN has all permissions. */
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

/** Role of API tokens that read metrics, and may call nothing else. No user has it. */
export const metricsRole = 'ROLE_METRICS'
export const tokenRoles = [...roles, metricsRole] as const
export type TokenRole = (typeof tokenRoles)[number]

/** Roles that may start jobs of some type. */
const launchers = roles.filter((role) => role !== 'ROLE_ADMIN')

/** Permissions of calls: anyone, any signed-in user, or the listed roles in addition to ROLE_ADMIN. */
export const needs = {
  nothing: 'anyone',
  'snapshots.see': 'signed in',
  /** Tags are the only editable part of files and folders. */
  'entries.tag': ['ROLE_PROJECT_MANAGER'],
  /** `entries.tag`, and managers below the folders of their projects, which the handler checks. */
  'entries.tagManaged': 'signed in',
  'settings.edit': [],
  'projects.edit': ['ROLE_PROJECT_MANAGER'],
  /** `projects.edit`, and the managers of the project, which the handler checks. */
  'projects.manage': 'signed in',
  /** Accounts, their sessions and API tokens. */
  'users.edit': [],
  'scans.start': [],
  /** Reading whole files of storages, to compare the contents of duplicates. */
  'contents.compare': [],
  /** Policies, and what is in quarantine. */
  'policies.edit': [],
  /** Plans and clients of Archiware P5, for archiving and restoring. */
  'archiware.use': ['ROLE_ARCHIWARE_ARCHIVE', 'ROLE_ARCHIWARE_RESTORE'],
  'archiware.archive': ['ROLE_ARCHIWARE_ARCHIVE'],
  'archiware.restore': ['ROLE_ARCHIWARE_RESTORE'],
  /** Storages that Quantum StorNext knows, for archiving and restoring. */
  'storNext.use': ['ROLE_STORAGE_MANAGER_ARCHIVE', 'ROLE_STORAGE_MANAGER_RESTORE'],
  'storNext.archive': ['ROLE_STORAGE_MANAGER_ARCHIVE'],
  'storNext.restore': ['ROLE_STORAGE_MANAGER_RESTORE'],
  /** Storages that the transfer service knows, and transfers. */
  'soda.use': ['ROLE_SODA_TRANSFER'],
  /** Collections and storages of Iconik, and uploads. */
  'iconik.use': ['ROLE_ICONIK_UPLOAD'],
  /** Users see their own jobs if they may start some; jobs of other users need `jobs.seeAll`. */
  'jobs.see': launchers,
  /** Cancel, pause and resume visible jobs. */
  'jobs.control': launchers,
  'jobs.seeAll': [],
  'events.see': [],
} as const satisfies Record<string, 'anyone' | 'signed in' | readonly Role[]>
export type Needs = keyof typeof needs

/** Permissions of administrators and of everyone: what callers of these see isn't limited. */
export type NeedsWithoutLimits = {
  [N in Needs]: (typeof needs)[N] extends readonly [] | 'anyone' ? N : never
}[Needs]

/** Bundles that can be licensed. */
export const bundles = ['storageManager', 'archiwareP5', 'soda', 'iconik'] as const
export type Bundle = (typeof bundles)[number]

/** Error messages for bundles without a license. */
export const lockedMessages = {
  storageManager: 'Unlock Quantum StorNext Integration',
  archiwareP5: 'Unlock Archiware P5 Bundle',
  soda: 'Unlock SODA Integration',
  iconik: 'Unlock Iconik Integration',
} as const satisfies Record<Bundle, string>

/** True if a user with these roles has a permission. Undefined roles mean that no user is signed in. */
export function may(held: readonly Role[] | undefined, what: Needs): boolean {
  const who: 'anyone' | 'signed in' | readonly Role[] = needs[what]
  if (who === 'anyone') return true
  if (!held) return false
  return who === 'signed in' || held.includes('ROLE_ADMIN') || who.some((role) => held.includes(role))
}
