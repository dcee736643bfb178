import type { ImportFormat } from '#events/imports/formats.ts'
import type { ImportRecord, ImportSummary } from '#events/imports/imports.ts'
import type { WebhookFormat } from '#events/notifications/webhooks.ts'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { PlanOfSelection } from '#events/actions/plans.ts'
import type { JobType } from '#events/jobs/types.ts'
import type { Role } from '#events/contract/needs.ts'
import type { WallBoard } from '#events/wall.ts'
import type { ChannelKind } from '#events/notifications/channels.ts'
import type { NotificationStatus } from '#events/notifications/calls.ts'
import type { OwnerAnswer } from '#events/policies/ownerFiles.ts'
import type { AlertDelivery, AlertState } from '#events/schedules/alerts.ts'
import type { ScheduleDraft, ScheduleRun } from '#events/schedules/calls.ts'
import type { AgentTables } from './agentTables.ts'
import type { JobTables } from './jobTables.ts'
import type { LogTables } from './logTables.ts'
import type { PolicyTables } from './policyTables.ts'
import type { ProjectTables } from './projectTables.ts'
import type { ReportTables } from './reportTables.ts'
import type { SignInTables } from './signInTables.ts'
import type { SourceTables } from './sourceTables.ts'

/** Folders and projects that a message is about. */
type MessageScope = {
  places: { volumeId: number; path: string; fromScan: number; beforeScan: number }[]
  projects: number[]
}

/** The tables of Postgres, in camel case, as created by the migrations. 64-bit columns are read as numbers. */
export type Tables = AgentTables &
  JobTables &
  LogTables &
  PolicyTables &
  ProjectTables &
  ReportTables &
  SignInTables &
  SourceTables & {
    migrations: {
      store: 'postgres' | 'clickhouse'
      name: string
      checksum: string
      at: Generated<Date>
      /** Number of the newest migration that a running server must know to continue with this one; null for this one. */
      minimum: string | null
    }
    replicas: {
      id: string
      host: string
      /** Fingerprint of the key of secrets; null until it has one. */
      secretKey: string | null
      /** The newest known migrations. */
      postgres: string
      clickhouse: string
      startedAt: Generated<Date>
      seenAt: Generated<Date>
    }
    users: {
      id: Generated<number>
      name: string
      email: string | null
      /** The address that was confirmed; emails go to `email` only if it is the same. */
      confirmedEmail: string | null
      passwordHash: string | null
      hasOneTimePassword: Generated<boolean>
      roles: Role[]
      /** The identity at a single sign-on provider; null for accounts of this product. */
      issuer: string | null
      subject: string | null
      /** Claims that the provider did not send at the last sign-in, separated by commas. */
      missingClaims: string | null
      createdAt: Generated<Date>
      lastSignInAt: Date | null
      disabledAt: Date | null
      /** Groups of single sign-on that the provider named last. */
      groups: Generated<string[]>
      /** Time at which the user hid the checklist of the first day. */
      setupHiddenAt: Date | null
      /** True once an administrator got the alert of mass changes that is added for live storages. */
      hasMassChangeAlert: Generated<boolean>
    }
    scanUnreadable: { scanId: number; path: string; error: string }
    refusedMessages: { reason: string; agentId: number; messages: number; lastAt: Generated<Date> }
    snapshots: { indexingDate: string; volumeId: number; scanId: number }
    imports: {
      id: number
      volumeId: number
      indexingDate: string
      format: ImportFormat
      fileName: string | null
      state: Generated<ImportRecord['state']>
      reason: string | null
      createdAt: Generated<Date>
      createdBy: string
      readBytes: Generated<number>
      seenAt: Generated<Date>
      summary: JSONColumnType<ImportSummary> | null
      madeDate: Generated<boolean>
    }
    deletedSnapshots: { volumeId: number; since: Generated<Date> }
    replacedGenerations: { volumeId: number; generation: number; since: Generated<Date> }
    endedLayers: { volumeId: number; generation: number; removed: Generated<boolean>; since: Generated<Date> }
    countedDuplicates: {
      onlyRow: Generated<boolean>
      versions: Generated<number[]>
      volumes: Generated<number[]>
      repeated: ColumnType<{ volumeId: number; path: string; within: number }[], string | undefined, string>
    }
    duplicatesOfScans: { scans: number[]; versions: number[]; unusedSince: Generated<Date | null> }
    configurations: { name: string; value: string }
    product: { onlyRow: Generated<boolean>; id: Generated<string> }
    notifications: {
      id: Generated<number>
      userId: number
      type: JobType
      status: NotificationStatus
      email: boolean
      webhook: string | null
      webhookFormat: Generated<WebhookFormat>
      webhookTemplate: string | null
      channelIds: Generated<number[]>
      since: Generated<number>
    }
    channels: {
      id: Generated<number>
      userId: number
      name: string
      kind: ChannelKind
      addresses: Generated<string[]>
      webhook: string | null
      webhookTemplate: string | null
      testedAt: Date | null
    }
    confirmedAddresses: { address: string; confirmedAt: Generated<Date> }
    addressCodes: {
      id: Generated<number>
      userId: number
      address: string
      codeHash: string
      failures: Generated<number>
      sentAt: Generated<Date>
    }
    deliveries: {
      id: Generated<number>
      key: string
      senderId: number | null
      position: number | null
      notificationId: number | null
      userId: number | null
      address: string | null
      /** A `secret-email` has a secret, and is not sent by servers of versions that don't know these. */
      channel: 'email' | 'secret-email' | 'webhook'
      webhook: string | null
      subject: string
      body: string
      state: Generated<'waiting' | 'sent' | 'failed'>
      tries: Generated<number>
      createdAt: Generated<Date>
      triedAt: Date | null
      nextTryAt: Generated<Date>
      reason: string | null
      bundle: string | null
      webhookFormat: WebhookFormat | null
      webhookTemplate: string | null
      webhookText: string | null
      about: string | null
      /** Channel that it goes to; null for other recipients, and once the channel is deleted. */
      channelId: number | null
      /** The sealed end of the text, until it is sent; null for texts without secrets. */
      secret: string | null
      /** The data it is about; null for everything. */
      shows: ColumnType<MessageScope | null, string | null | undefined, never>
    }
    toldChecks: {
      scheduleId: number
      templateId: number
      runId: number
      reportedAt: Date | null
    }
    mailFiles: {
      bundle: string
      position: number
      name: string
      bytes: Buffer
    }
    savedSearches: {
      id: Generated<number>
      /** Null for a shared one whose user was deleted. */
      userId: number | null
      name: string
      query: string
      isShared: Generated<boolean>
      createdAt: Generated<Date>
    }
    wallTokens: {
      id: Generated<number>
      name: string
      tokenHash: string
      createdBy: string
      createdAt: Generated<Date>
      frameAncestors: Generated<string>
      boards: Generated<WallBoard[]>
      every: Generated<number>
      scheme: 'dark' | 'light' | null
    }
    trustedClock: { onlyRow: Generated<boolean>; trustedAt: Date }
    singleSignOnFailures: { onlyRow: Generated<boolean>; problem: string; reason: string; failedAt: Date }
    seenOrigins: { origin: string; expected: string; isRefused: boolean; seenAt: Date }
    wallSessions: { idHash: string; tokenId: number; createdAt: Generated<Date>; lastSeenAt: Generated<Date> }
    schedules: {
      id: Generated<number>
      name: string
      cron: string
      jobGroup: ScheduleDraft['jobGroup']
      jobClass: ScheduleDraft['jobClass']
      payload: JSONColumnType<ScheduleDraft['payload']>
      paused: boolean
      userId: number | null
      nextDueAt: Date | null
      dueAfter: Date | null
      delivery: JSONColumnType<Omit<AlertDelivery, 'webhook'>> | null
      webhook: string | null
      evaluatedAt: Date | null
      alertState: AlertState | null
      alertReason: string | null
    }
    selections: {
      id: number
      createdAt: Generated<Date>
      createdBy: string
      indexingDate: string | null
      scans: JSONColumnType<Record<string, number>>
      files: number
      folders: number
      bytes: number
      missing: number
      hash: string
      usedBy: number | null
      /** Kept until then, even without a job. */
      keptUntil: Date | null
      plan: JSONColumnType<PlanOfSelection> | null
    }
    policyOwnerLinks: {
      id: Generated<number>
      runId: number
      policyId: number
      policy: string
      owner: string
      /** Null for an owner without an address, who has no link. */
      address: string | null
      tokenHash: string | null
      selectionId: number
      firstPosition: number
      files: number
      bytes: number
      expiresAt: Date
      /** Counts for files without an answer of their own. */
      answerToAll: OwnerAnswer | null
      isTagged: Generated<boolean>
    }
    policyAnswers: { linkId: number; position: number; answer: OwnerAnswer; isTagged: Generated<boolean> }
    alertStates: {
      scheduleId: number
      watchedId: number
      isReached: boolean
      isReported: boolean
      reportedAt: Date | null
    }
    alertIncidents: {
      id: Generated<number>
      scheduleId: number
      watchedId: number
      text: string
      /** Of a mass change: its folder, and the number of files in the last message about it. */
      path: Generated<string | null>
      files: Generated<number | null>
      startedAt: Date
      endedAt: Date | null
      /** Null unless it is muted; without `mutedUntil` until it ends. */
      mutedAt: Date | null
      mutedUntil: Date | null
    }
    scheduleRuns: {
      scheduleId: number
      dueAt: Date
      outcome: ScheduleRun['outcome']
      jobId: number | null
      reason: string | null
    }
  }
