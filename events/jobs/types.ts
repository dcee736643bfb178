import { actionJobLabels } from '#events/actions/actions.ts'

/** Job types with their labels. */
export const jobTypeLabels = {
  SCAN_ON_PREMISES: 'Scan On-Premises',
  SCAN_CLOUD: 'Scan cloud',
  SCAN_ARCHIWARE: 'Scan Archiware',
  SCAN_DELL_POWER_SCALE: 'Scan Dell PowerScale',
  TAG_SEARCH_RESULT: 'Tag search results',
  ...actionJobLabels,
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
