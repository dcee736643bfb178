/** Job types with their labels. */
export const jobTypeLabels = {
  SCAN_ON_PREMISES: 'Scan On-Premises',
  SCAN_CLOUD: 'Scan cloud',
  SCAN_ARCHIWARE: 'Scan Archiware',
  SCAN_DELL_POWER_SCALE: 'Scan Dell PowerScale',
  TAG_SEARCH_RESULT: 'Tag search results',
  ARCHIVE_ARCHIWARE_FILES: 'Archive Archiware files',
  ARCHIVE_ARCHIWARE_SEARCH_RESULT: 'Archive Archiware search results',
  RESTORE_ARCHIWARE_FILES: 'Restore Archiware files',
  RESTORE_ARCHIWARE_SEARCH_RESULT: 'Restore Archiware search results',
  SODA_TRANSFER: 'Data transfer',
  SODA_TRANSFER_SEARCH_RESULT: 'Data transfer from search results',
  ARCHIVE_STORAGE_MANAGER_FILES: 'Archive Storage Manager files',
  ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT: 'Archive Storage Manager search results',
  RESTORE_STORAGE_MANAGER_FILES: 'Restore Storage Manager files',
  RESTORE_STORAGE_MANAGER_SEARCH_RESULT: 'Restore Storage Manager search results',
  ICONIK_UPLOAD: 'Iconik upload',
  ICONIK_UPLOAD_SEARCH_RESULT: 'Iconik upload from search results',
  COMPARE_FILES: 'Compare contents',
  COMPARE_SEARCH_RESULT: 'Compare contents of search results',
  GENERATE_REPORT: 'Generate report',
} as const

export type JobType = keyof typeof jobTypeLabels
export const jobTypes = Object.keys(jobTypeLabels) as [JobType, ...JobType[]]

/** Task types with their worker: the agent that the task is queued for, or the server. */
export const taskRunners = {
  SCAN_VOLUMES: 'agent',
  ACT_ON_FILES: 'agent',
  TAG_ENTRIES: 'server',
  RUN_REPORT: 'server',
} as const

export type TaskType = keyof typeof taskRunners
export const taskTypes = Object.keys(taskRunners) as [TaskType, ...TaskType[]]

export type AgentTaskType = { [T in TaskType]: (typeof taskRunners)[T] extends 'agent' ? T : never }[TaskType]
export type ServerTaskType = Exclude<TaskType, AgentTaskType>
export const agentTaskTypes = taskTypes.filter((type): type is AgentTaskType => taskRunners[type] === 'agent')

/** Job types that act on selected files: in an external system, or by reading them to compare their contents. */
export const actionJobTypes = [
  'ARCHIVE_ARCHIWARE_FILES',
  'ARCHIVE_ARCHIWARE_SEARCH_RESULT',
  'RESTORE_ARCHIWARE_FILES',
  'RESTORE_ARCHIWARE_SEARCH_RESULT',
  'SODA_TRANSFER',
  'SODA_TRANSFER_SEARCH_RESULT',
  'ARCHIVE_STORAGE_MANAGER_FILES',
  'ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT',
  'RESTORE_STORAGE_MANAGER_FILES',
  'RESTORE_STORAGE_MANAGER_SEARCH_RESULT',
  'ICONIK_UPLOAD',
  'ICONIK_UPLOAD_SEARCH_RESULT',
  'COMPARE_FILES',
  'COMPARE_SEARCH_RESULT',
] as const satisfies JobType[]
export type ActionJobType = (typeof actionJobTypes)[number]
export const isActionJob = (type: JobType): type is ActionJobType => actionJobTypes.some((each) => each === type)

/** Job types that compare the contents of duplicates. They change no file. */
export const comparisonJobTypes = ['COMPARE_FILES', 'COMPARE_SEARCH_RESULT'] as const satisfies ActionJobType[]
export type ComparisonJobType = (typeof comparisonJobTypes)[number]
export const isComparison = (type: JobType): boolean => comparisonJobTypes.some((each) => each === type)
