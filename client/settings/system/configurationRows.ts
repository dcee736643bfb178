import type { ConfigurationName } from '#events/configurations.ts'
import type { requiredFor } from '#events/users/secondFactor.ts'

/** A setting with its texts. */
export type Row = {
  name: ConfigurationName
  label: string
  explanation: string
  /** Type of the control; default is a text input. */
  kind?: 'text' | 'switch' | 'size' | 'choice'
  /** Labels of the values of a choice. */
  choices?: Record<string, string>
  placeholder?: string
  unit?: string
}

export const generalRows: Row[] = [
  {
    name: 'app.url',
    label: 'Application URL',
    explanation:
      'URL at which users reach this product, with its path, if any. Emails, single sign-on and live updates use it.',
    placeholder: 'https://dataintell.example.com',
  },
  {
    name: 'jobQueuedLength',
    label: 'Maximum waiting jobs',
    explanation: 'Maximum number of waiting jobs. Further jobs are rejected.',
    unit: 'jobs',
  },
  {
    name: 'catchUpMissedRuns',
    label: 'Catch up missed runs',
    explanation:
      'Schedules and reports that were due while the server was down run once when it starts. When off, those more than an hour late are skipped.',
    kind: 'switch',
  },
]

const requiredLabels: Record<(typeof requiredFor)[number], string> = {
  nobody: 'Nobody',
  administrators: 'Administrators',
  everyone: 'Everyone',
}
export const signInRows: Row[] = [
  {
    name: 'secondFactorRequiredFor',
    label: 'Second factor required',
    explanation:
      'These users must set up an authenticator app at their next sign-in. Does not affect API tokens or single sign-on.',
    kind: 'choice',
    choices: requiredLabels,
  },
]

export const retentionRows: Row[] = [
  {
    name: 'snapshotNumberOfDays',
    label: 'Snapshot retention',
    explanation: 'Older snapshots are deleted once a day. The newest snapshot of a storage is always kept.',
    unit: 'days',
  },
  {
    name: 'snapshotKeepFirstDayOfMonth',
    label: 'Keep the first day of each month',
    explanation: 'The first snapshot of each month is kept beyond the retention.',
    kind: 'switch',
  },
  {
    name: 'jobRetention',
    label: 'Job retention',
    explanation: 'Time that jobs are kept after they end.',
    unit: 'days',
  },
  {
    name: 'deletedFilesNumberOfDays',
    label: 'Deleted files retention',
    explanation:
      "Time that deleted files and folders stay listed as deleted. Entries removed from the list can't be restored.",
    unit: 'days',
  },
]

export const scanRows: Row[] = [
  {
    name: 'scan.tagDuplicate.minimumSize',
    label: 'Minimum duplicate size',
    explanation:
      'Smaller files are not compared for duplicates. Takes effect immediately, for every snapshot. Empty files never count.',
    kind: 'size',
  },
  {
    name: 'comparisonBytesPerSecond',
    label: 'Comparison speed',
    explanation:
      'Maximum number of bytes that an agent reads per second to compare the contents of duplicates, in all comparisons together.',
    kind: 'size',
    unit: 'per second',
  },
  {
    name: 'isAlwaysUpdateActive',
    label: 'History of access dates',
    explanation:
      'Store a new version of a file when only its access date changed. When off, past snapshots show the latest access date.',
    kind: 'switch',
  },
  {
    name: 'numberOfFiles',
    label: 'Files before work is shared',
    explanation: 'Hybrid scans: files that a thread reads before it shares its work. 0 shares immediately.',
    unit: 'files',
  },
  {
    name: 'folderDepth',
    label: 'Depth at which work is shared',
    explanation: 'Hybrid scans: threads share folders down to this depth below the storage. 0: at any depth.',
    unit: 'levels',
  },
  {
    name: 'isPerformanceModeActive',
    label: 'Performance mode',
    explanation:
      'Scans skip owners and groups, and folders are not compared for duplicates. After each change, the next scan records every file again.',
    kind: 'switch',
  },
  {
    name: 'serverNumberOfThreads',
    label: 'Agent threads',
    explanation:
      'Number of folders that each agent reads at once. Slow storages, such as shares, have scan options instead.',
    unit: 'threads',
  },
  {
    name: 'scanDellPowerscaleNumberOfThreads',
    label: 'Dell PowerScale threads',
    explanation: 'Number of simultaneous requests of a Dell PowerScale scan, from 1 to 32.',
    unit: 'threads',
  },
  {
    name: 'scanCheckEvery',
    label: 'Full scan every',
    explanation:
      'Scans send only changed folders. Every Nth scan of a storage sends everything as a check. 1 means every scan.',
    unit: 'scans',
  },
]

/** Limits of each user. */
export const limitRows: Row[] = [
  {
    name: 'exportsPerUser',
    label: 'Downloads at the same time',
    explanation: 'Files that a user can download at the same time, from 1 to 20. Others wait in a short queue.',
    unit: 'downloads',
  },
  {
    name: 'heavyQueriesPerUser',
    label: 'Long queries at the same time',
    explanation: 'Queries of a user that read much data: 1 or 2 at the same time. Others wait.',
    unit: 'queries',
  },
  {
    name: 'openPagesPerUser',
    label: 'Open pages',
    explanation: 'Pages of a user with live updates. Further ones reload their data every 30 seconds.',
    unit: 'pages',
  },
  {
    name: 'savedSearchesPerUser',
    label: 'Saved searches',
    explanation: 'Searches that a user can save.',
    unit: 'searches',
  },
  {
    name: 'notificationsPerUser',
    label: 'Job notifications',
    explanation: 'Job notifications, with email or webhook, that a user can add.',
    unit: 'notifications',
  },
  { name: 'alertsPerUser', label: 'Alerts', explanation: 'Alerts that a user can add.', unit: 'alerts' },
  {
    name: 'reportsPerUser',
    label: 'Reports',
    explanation: 'Reports that a user can create.',
    unit: 'reports',
  },
  {
    name: 'apiTokensPerUser',
    label: 'API tokens',
    explanation: 'API tokens that a user can create, including expired ones that were not deleted.',
    unit: 'tokens',
  },
  {
    name: 'scanSchedules',
    label: 'Scan schedules',
    explanation: 'Scan schedules of all users together.',
    unit: 'schedules',
  },
  {
    name: 'emailsPerHour',
    label: 'Emails per hour',
    explanation:
      "Emails for a user's alerts, job notifications, reports and tests in an hour. Further ones are not sent.",
    unit: 'emails',
  },
]

export const advancedRows: Row[] = [
  {
    name: 'isBetaActive',
    label: 'Beta features',
    explanation: 'Shows features marked Beta, such as Dell PowerScale storages.',
    kind: 'switch',
  },
  {
    name: 'maxNumberOfFilesCsv',
    label: 'Maximum files of a download',
    explanation: 'A CSV file or spreadsheet of a search contains at most this many entries.',
    unit: 'entries',
  },
  {
    name: 'isHealthCheckActive',
    label: 'Health check',
    explanation: 'When off, /actuator/health reports only that the API is up.',
    kind: 'switch',
  },
]
