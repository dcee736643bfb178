import { z } from 'zod'
import {
  address,
  agentIds,
  days,
  line,
  secureAddressOrNone,
  wholeNumber,
  yesOrNo,
} from './contract/configurationValues.ts'
import { endpoint } from './contract/endpoint.ts'
import { requiredFor } from './users/secondFactor.ts'
import type { Bundle } from './contract/needs.ts'
import { mailKeys, mailServerPlace } from './notifications/mailSettings.ts'
import { maxOfLimit, type UserLimit, userLimits } from './users/userLimits.ts'

/**
 * A configuration key: description, default value and validation. Values are transmitted as text. A key of a bundle can only be
 * changed with a license for the bundle.
 */
type Key = { description: string; defaultValue: string; check: z.ZodType<string>; isHashed?: true; bundle?: Bundle }

const indexes = ['file', 'project', 'report', 'volume'] as const
type IndexKey = `${(typeof indexes)[number]}NumberOf${'Shards' | 'Replicas'}`
/**
 * Accepted so that scripts which set them keep working; ClickHouse itself distributes and replicates its tables. The
 * exact names are unconfirmed.
 */
const indexKeys = Object.fromEntries(
  indexes.flatMap((index) => [
    [`${index}NumberOfShards`, withoutEffect(`Shards of the ${index} index`, '1', 1)],
    [`${index}NumberOfReplicas`, withoutEffect(`Replicas of the ${index} index`, '0', 0)],
  ]),
) as Record<IndexKey, Key>

function withoutEffect(description: string, defaultValue: string, min: 0 | 1): Key {
  return { description: `${description} (no effect)`, defaultValue, check: wholeNumber(min, 1_000) }
}

/** Each is at least 1: no user is shut out. */
const limitKeys = Object.fromEntries(
  (Object.keys(userLimits) as UserLimit[]).map((name): [UserLimit, Key] => [
    name,
    { ...userLimits[name], check: wholeNumber(1, maxOfLimit(name)) },
  ]),
) as Record<UserLimit, Key>

export const configurationKeys = {
  'app.url': { description: 'Application URL for links in emails', defaultValue: '', check: address },
  jobQueuedLength: { description: 'Maximum number of waiting jobs', defaultValue: '100', check: wholeNumber(0) },
  catchUpMissedRuns: { description: 'Run missed schedules and reports once', defaultValue: 'true', check: yesOrNo },
  snapshotNumberOfDays: { description: 'Days that snapshots are kept', defaultValue: '365', check: days },
  snapshotKeepFirstDayOfMonth: {
    description: 'Keep the first snapshot of each month forever',
    defaultValue: 'true',
    check: yesOrNo,
  },
  jobRetention: { description: 'Days that jobs are kept after their end', defaultValue: '30', check: days },
  deletedFilesNumberOfDays: { description: 'Days that deleted files are listed', defaultValue: '30', check: days },
  /** Bytes. */
  'scan.tagDuplicate.minimumSize': {
    description: 'Minimum size of duplicates',
    defaultValue: '0',
    check: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  },
  isAlwaysUpdateActive: {
    description: 'Store a new version when only the access date changed',
    defaultValue: 'true',
    check: yesOrNo,
  },
  /** With both 0, hybrid scans share all folders from the start. */
  numberOfFiles: {
    description: 'Files that a hybrid scan reads in one thread before sharing',
    defaultValue: '0',
    check: wholeNumber(0),
  },
  folderDepth: {
    description: 'Maximum depth of folders that hybrid scans share',
    defaultValue: '0',
    check: wholeNumber(0),
  },
  isPerformanceModeActive: {
    description: 'Scans without owners, groups and duplicate folders',
    defaultValue: 'false',
    check: yesOrNo,
  },
  serverNumberOfThreads: { description: 'Threads of each agent', defaultValue: '2', check: wholeNumber(1, 256) },
  /** Dell PowerScale clusters limit the sessions and requests of a user. */
  scanDellPowerscaleNumberOfThreads: {
    description: 'Threads of a scan of Dell PowerScale',
    defaultValue: '8',
    check: wholeNumber(1, 32),
  },
  /** Bytes that an agent reads in a second for all its comparisons of contents together. */
  comparisonBytesPerSecond: {
    description: 'Reading speed of comparisons of contents',
    defaultValue: '104857600',
    check: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  },
  scanCheckEvery: {
    description: 'Full scan interval',
    defaultValue: '10',
    check: wholeNumber(1),
  },
  maxNumberOfFilesCsv: {
    description: 'Maximum number of entries in a download',
    defaultValue: '1000000',
    check: wholeNumber(1, 10_000_000),
  },
  /** No policy starts, and running ones wait. */
  policiesPaused: { description: 'Pause all policies', defaultValue: 'false', check: yesOrNo },
  /** Users without a second factor set one up before anything else. API tokens work without. */
  secondFactorRequiredFor: {
    description: 'Users who need a second factor',
    defaultValue: 'nobody',
    check: z.enum(requiredFor, `Value must be ${requiredFor.join(', ')}`),
  },
  isBetaActive: { description: 'Show features marked Beta', defaultValue: 'true', check: yesOrNo },
  isHealthCheckActive: { description: 'Include all stores in the health check', defaultValue: 'true', check: yesOrNo },
  ...mailKeys,
  /** Another region has another address. `ICONIK_URL` applies while it is empty. */
  iconikUrl: { description: 'Iconik URL', defaultValue: '', check: secureAddressOrNone, bundle: 'iconik' },
  iconikAppId: {
    description: 'Iconik Application ID',
    defaultValue: '',
    check: line('Application ID must have at most 255 characters'),
    bundle: 'iconik',
  },
  /** Leave empty to remove the token. */
  'iconik.authtoken': {
    description: 'Iconik Auth-Token',
    defaultValue: '',
    check: line('Application Token must have at most 4000 characters', 4_000),
    isHashed: true,
    bundle: 'iconik',
  },
  /** Besides the built-in agent. Other agents get the token only with uploads from their own storages. */
  iconikAgents: { description: 'Agents for Iconik', defaultValue: '', check: agentIds, bundle: 'iconik' },
  /** The three entries of the transfer service have defaults in the environment, which apply while they are empty. */
  sodaUrl: { description: 'SODA URL', defaultValue: '', check: secureAddressOrNone, bundle: 'soda' },
  sodaClientId: {
    description: 'SODA client ID',
    defaultValue: '',
    check: line('Client ID must have at most 255 characters'),
    bundle: 'soda',
  },
  sodaClientSecret: {
    description: 'SODA client secret',
    defaultValue: '',
    check: line('Client secret must have at most 1000 characters', 1_000),
    isHashed: true,
    bundle: 'soda',
  },
  /** Otherwise an agent deletes each file of a move once its copy was verified. */
  sodaDeletesMovedFiles: {
    description: 'Let the transfer service delete moved files',
    defaultValue: 'false',
    check: yesOrNo,
    bundle: 'soda',
  },
  /** Besides the built-in agent. Other agents get the secret only with transfers from their own storages. */
  sodaAgents: { description: 'Agents for SODA', defaultValue: '', check: agentIds, bundle: 'soda' },
  ...limitKeys,
  ...indexKeys,
} as const satisfies Record<string, Key>
export type ConfigurationName = keyof typeof configurationKeys
export const configurationNames = Object.keys(configurationKeys) as [ConfigurationName, ...ConfigurationName[]]

/** Names of values that can be written but not read. */
export type HashedName = {
  [N in ConfigurationName]: (typeof configurationKeys)[N] extends { isHashed: true } ? N : never
}[ConfigurationName]
export const isHashed = (name: ConfigurationName): name is HashedName => 'isHashed' in configurationKeys[name]

/**
 * Addresses that stored secrets are sent to, the host first, and whether they are encrypted on the way. A mail server gets the access
 * tokens of an application.
 */
export const secretDestinations = {
  'spring.mail.password': mailServerPlace,
  mailClientSecret: mailServerPlace,
  mailServiceKey: mailServerPlace,
  'iconik.authtoken': ['iconikUrl'],
  sodaClientSecret: ['sodaUrl'],
} as const satisfies Partial<Record<HashedName, readonly ConfigurationName[]>>
/** Bundle that must be licensed to change a value. */
export const bundleOf = (name: ConfigurationName): Bundle | undefined => (configurationKeys[name] as Key).bundle

/** Entries with agents that may get a secret. */
export const agentLists = ['iconikAgents', 'sodaAgents'] as const satisfies ConfigurationName[]
export type AgentList = (typeof agentLists)[number]
/** IDs in such an entry. */
export const agentsIn = (value: string): number[] => (value === '' ? [] : value.split(',').map(Number))

/** True for values that lead secrets, the emails of others, or the links in them, elsewhere, or weaken the sign-in. */
export const grantsAccess = (name: ConfigurationName): boolean =>
  ['app.url', 'allowedMailDomains', 'secondFactorRequiredFor', ...agentLists].includes(name) ||
  /^(spring\.mail\.|mail)/.test(name)

/**
 * `value` is null for hashed keys; `isSet` is true if the value differs from the default. `isLost`: a hashed value was
 * stored with another server key and has to be entered again.
 */
export const ConfigurationEntry = z.object({
  name: z.enum(configurationNames),
  description: z.string(),
  value: z.string().nullable(),
  isHashed: z.boolean(),
  isSet: z.boolean(),
  isLost: z.boolean(),
})
export type ConfigurationEntry = z.infer<typeof ConfigurationEntry>

const needs = 'settings.edit'

export const configurations = {
  list: endpoint({
    method: 'GET',
    path: '/configurations',
    needs,
    failure: 'Unable to fetch the configurations',
    answer: z.array(ConfigurationEntry),
  }),
  /**
   * Returns the entries that changed. Either all or none of them change. An invalid value is a sub-error of its name.
   * An entry that keeps its value is not validated. Descriptions are ignored. API tokens leave out the entries of mail,
   * the application URL, and the agents that may get secrets.
   */
  update: endpoint({
    method: 'PUT',
    path: '/configurations',
    needs,
    failure: 'Unable to update the configurations',
    body: z
      .array(
        z.object({
          name: z.enum(configurationNames),
          /** Null, which is read for secrets, keeps the value. */
          value: z.string().max(10_000).nullable(),
          description: z.string().max(1_000).optional(),
        }),
      )
      .min(1, 'must name at least one entry')
      .max(100)
      .transform((entries) => entries.flatMap(({ value, ...entry }) => (value === null ? [] : [{ ...entry, value }]))),
    record: z.array(ConfigurationEntry),
    confirm: (entries: { name: ConfigurationName }[]) => entries.some(({ name }) => grantsAccess(name)),
    answer: z.array(ConfigurationEntry),
  }),
}
