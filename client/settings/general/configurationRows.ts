import type { ConfigurationName } from '#events/configurations.ts'

/** An entry of the configuration as administrators read it. */
export type Row = {
  name: ConfigurationName
  label: string
  explanation: string
  /** How it is typed; a line of text unless told otherwise. */
  kind?: 'text' | 'switch' | 'size'
  placeholder?: string
  unit?: string
}

export const generalRows: Row[] = [
  {
    name: 'app.url',
    label: 'Application URL',
    explanation: 'Where users reach this product; mails link to it.',
    placeholder: 'https://dataintell.example.com',
  },
  {
    name: 'jobQueuedLength',
    label: 'Maximum waiting jobs',
    explanation: 'How many jobs may wait at once. What would be one more is refused.',
    unit: 'jobs',
  },
]

export const retentionRows: Row[] = [
  {
    name: 'snapshotNumberOfDays',
    label: 'Snapshot retention',
    explanation: 'Older snapshots are deleted once a day. The newest one of a storage always stays.',
    unit: 'days',
  },
  {
    name: 'snapshotKeepFirstDayOfMonth',
    label: 'Keep the first day of each month',
    explanation: 'The first snapshot of each month outlives the retention.',
    kind: 'switch',
  },
  {
    name: 'jobRetention',
    label: 'Job retention',
    explanation: 'How long jobs are kept after their end.',
    unit: 'days',
  },
  {
    name: 'deletedFilesNumberOfDays',
    label: 'Deleted files retention',
    explanation: 'How long deleted files and folders are listed as such. What was removed does not come back.',
    unit: 'days',
  },
]

export const scanRows: Row[] = [
  {
    name: 'scan.tagDuplicate.minimumSize',
    label: 'Minimum duplicate size',
    explanation: 'Smaller files are no duplicates. Holds at once, for every snapshot; empty files never are.',
    kind: 'size',
  },
  {
    name: 'isAlwaysUpdateActive',
    label: 'Always update',
    explanation:
      'A file that was only accessed gets a new version. Off: it keeps its version, and past snapshots show the newest access.',
    kind: 'switch',
  },
  {
    name: 'numberOfFiles',
    label: 'Files of a hybrid scan',
    explanation: 'A thread reads so many files alone before others help it. 0: they help at once.',
    unit: 'files',
  },
  {
    name: 'folderDepth',
    label: 'Folder depth of a hybrid scan',
    explanation: 'Threads share folders down to this depth below the storage. 0: at any depth.',
    unit: 'levels',
  },
  {
    name: 'isPerformanceModeActive',
    label: 'Performance mode',
    explanation:
      'Scans leave out owners and groups, and folders are no duplicates. After each change the next scan records every file anew.',
    kind: 'switch',
  },
  {
    name: 'serverNumberOfThreads',
    label: 'Agent threads',
    explanation: 'How many folders each agent reads at once.',
    unit: 'threads',
  },
]

export const advancedRows: Row[] = [
  {
    name: 'maxNumberOfFilesCsv',
    label: 'Maximum files of a download',
    explanation: 'A CSV file or a spreadsheet of a search has the first so many entries.',
    unit: 'entries',
  },
  {
    name: 'isHealthCheckActive',
    label: 'Health check',
    explanation: 'Off: /actuator/health only says that the API answers, and asks no store.',
    kind: 'switch',
  },
]
