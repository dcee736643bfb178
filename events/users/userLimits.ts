type Limit = { description: string; noun: string; defaultValue: string; max?: number }

/**
 * Maximum number of things that a user does at the same time, stores, or sends. Administrators change them with the configurations.
 * The defaults are far above normal work. `noun` continues `You already have 100`.
 */
export const userLimits = {
  exportsPerUser: {
    description: 'Downloads of a user at the same time',
    noun: 'downloads',
    defaultValue: '2',
    max: 20,
  },
  /** Three run at the same time, one of them for other users. */
  heavyQueriesPerUser: {
    description: 'Long queries of a user at the same time',
    noun: 'queries',
    defaultValue: '2',
    max: 2,
  },
  openPagesPerUser: { description: 'Open pages of a user', noun: 'open pages', defaultValue: '50' },
  savedSearchesPerUser: { description: 'Saved searches of a user', noun: 'saved searches', defaultValue: '100' },
  notificationsPerUser: { description: 'Job notifications of a user', noun: 'job notifications', defaultValue: '100' },
  alertsPerUser: { description: 'Alerts of a user', noun: 'alerts', defaultValue: '100' },
  /** Scan schedules have no user. */
  scanSchedules: { description: 'Scan schedules in total', noun: 'scan schedules', defaultValue: '1000' },
  reportsPerUser: { description: 'Reports created by a user', noun: 'reports', defaultValue: '200' },
  apiTokensPerUser: { description: 'API tokens of a user', noun: 'API tokens', defaultValue: '50' },
  /** In any 60 minutes. Webhooks don't count. */
  emailsPerHour: { description: 'Emails per hour for a user', noun: 'emails', defaultValue: '200' },
} as const satisfies Record<string, Limit>
export type UserLimit = keyof typeof userLimits

/** The largest value that an administrator can set. */
export const maxOfLimit = (name: UserLimit): number => (userLimits[name] as Limit).max ?? 100_000
