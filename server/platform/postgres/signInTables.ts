import type { Generated, JSONColumnType } from 'kysely'
import type { Role } from '#events/contract/needs.ts'

/** Tables of sessions, API tokens and second factors. */
export type SignInTables = {
  apiTokens: {
    id: Generated<number>
    userId: number
    name: string
    tokenHash: string
    roles: Role[]
    createdAt: Generated<Date>
    expiresAt: Date
    lastUsedAt: Date | null
  }
  /** Limits of users, groups of single sign-on and wall displays, if they were ever set. */
  limits: {
    id: Generated<number>
    userId: number | null
    groupName: string | null
    wallId: number | null
    everything: boolean
    projects: number[]
    storages: number[]
    folders: JSONColumnType<{ storageId: number; path: string }[]>
    since: Generated<Date>
  }
  failedPasswords: { key: string; failures: number; waitsUntil: Date }
  secondFactors: { userId: number; secret: string; since: Date | null; lastStep: Generated<number> }
  recoveryCodes: { userId: number; codeHash: string }
  sessions: {
    id: Generated<number>
    idHash: string
    userId: number
    address: string
    userAgent: string | null
    createdAt: Generated<Date>
    lastSeenAt: Generated<Date>
    expiresAt: Date
    confirmedAt: Generated<Date>
    refreshToken: string | null
    refreshedAt: Generated<Date>
    /** ID of the session at the provider of a single sign-on. */
    providerSession: string | null
    /** ID of the administrator's session that sees the product as this user; null for sign-ins. */
    viewedBy: number | null
  }
  logoutTokens: { idHash: string; receivedAt: Generated<Date> }
}
