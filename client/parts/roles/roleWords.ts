import { metricsRole, needs, type TokenRole, tokenRoles } from '#events/contract/needs.ts'

/** Names and descriptions of the roles. */
const descriptions: Record<TokenRole, { name: string; allows: string }> = {
  ROLE_ADMIN: {
    name: 'Administrator',
    allows: 'Everything, including settings, users, scans, jobs, the event log and all other roles.',
  },
  ROLE_PROJECT_MANAGER: {
    name: 'Project manager',
    allows: 'Creates projects and reports, and tags files and folders.',
  },
  ROLE_ARCHIWARE_ARCHIVE: { name: 'Archiware archive', allows: 'Archives files and folders with Archiware P5.' },
  ROLE_ARCHIWARE_RESTORE: { name: 'Archiware restore', allows: 'Restores what Archiware P5 archived.' },
  ROLE_SODA_TRANSFER: { name: 'SODA transfer', allows: 'Transfers files and folders with SODA.' },
  ROLE_STORAGE_MANAGER_ARCHIVE: {
    name: 'StorNext archive',
    allows: 'Archives files and folders with Quantum StorNext.',
  },
  ROLE_STORAGE_MANAGER_RESTORE: { name: 'StorNext restore', allows: 'Restores what Quantum StorNext archived.' },
  ROLE_ICONIK_UPLOAD: { name: 'Iconik upload', allows: 'Uploads files to Iconik.' },
  ROLE_METRICS: {
    name: 'Metrics',
    allows: 'Only reads metrics, for monitoring. Other roles and calls are not available.',
  },
}

/** False for roles that have no effect in this version. */
const isOfUse = (role: TokenRole): boolean =>
  role === 'ROLE_ADMIN' ||
  role === metricsRole ||
  Object.values<string | readonly TokenRole[]>(needs).some((who) => typeof who !== 'string' && who.includes(role))

/** Permissions of all signed-in users. */
export const everyone = 'All users can view and search. Roles add permissions.'

/** Roles of tokens. Users have all but the one for metrics. */
export const roleChoices = tokenRoles.map((role) => ({
  role,
  name: descriptions[role].name,
  allows: isOfUse(role) ? descriptions[role].allows : `${descriptions[role].allows} Not available in this version.`,
}))

export const roleNames = (held: readonly TokenRole[]): string => held.map((role) => descriptions[role].name).join(', ')
