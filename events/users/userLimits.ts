type Limit = { description: string; one: string; many?: string; defaultValue: string; max?: number }

/**
 * Maximum number of things that a user does at the same time, stores, or sends. Administrators change them with the configurations.
 * The defaults are far above normal work. `one` continues `You already have 1`, `many` if it isn't `one` with an s.
 */
export const userLimits = {
  exportsPerUser: {
    description: 'Downloads of a user at the same time',
    one: 'download',
    defaultValue: '2',
    max: 20,
  },
  /** Three run at the same time, one of them for other users. */
  heavyQueriesPerUser: {
    description: 'Long queries of a user at the same time',
    one: 'query',
    many: 'queries',
    defaultValue: '2',
    max: 2,
  },
  openPagesPerUser: { description: 'Open pages of a user', one: 'open page', defaultValue: '50' },
  savedSearchesPerUser: {
    description: 'Saved searches of a user',
    one: 'saved search',
    many: 'saved searches',
    defaultValue: '100',
  },
  notificationsPerUser: { description: 'Job notifications of a user', one: 'job notification', defaultValue: '100' },
  channelsPerUser: { description: 'Channels of a user', one: 'channel', defaultValue: '50' },
  alertsPerUser: { description: 'Alerts of a user', one: 'alert', defaultValue: '100' },
  /** Scan schedules have no user. */
  scanSchedules: { description: 'Scan schedules in total', one: 'scan schedule', defaultValue: '1000' },
  reportsPerUser: { description: 'Reports created by a user', one: 'report', defaultValue: '200' },
  apiTokensPerUser: { description: 'API tokens of a user', one: 'API token', defaultValue: '50' },
  /** In any 60 minutes. Webhooks don't count. */
  emailsPerHour: { description: 'Emails per hour for a user', one: 'email', defaultValue: '200' },
} as const satisfies Record<string, Limit>
export type UserLimit = keyof typeof userLimits

/** The largest value that an administrator can set. */
export const maxOfLimit = (name: UserLimit): number => (userLimits[name] as Limit).max ?? 100_000
