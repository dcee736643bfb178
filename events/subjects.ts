import type { AgentTaskType } from './jobs/types.ts'

/** Streams and subjects of NATS. An agent may only use subjects with its own ID. */
export const streams = { scans: 'SCANS', tasks: 'TASKS' } as const

/** Durable consumers that the server's replicas share, and the consumer of each agent's tasks of a type. */
export const consumers = {
  entries: 'ingest-entries',
  lifecycle: 'ingest-lifecycle',
  tasks: (agentId: number, type: AgentTaskType) => `agent-${agentId}-${type}`,
} as const

/** Requests of the server to an agent. */
export const requestSubjects = {
  /** Answered within 2 seconds. */
  cancel: (agentId: number) => `ask.${agentId}.cancel`,
  /** Request to probe the folder of a `SourceOrder`, answered with a `FolderProbe` once a share is mounted for it. */
  look: (agentId: number) => `ask.${agentId}.look`,
  /** Request about a bucket, a `BucketQuestion`, answered with a `BucketAnswer`. */
  bucket: (agentId: number) => `ask.${agentId}.bucket`,
  /** Request to keep the baseline of a storage, a `BaselineQuestion`, answered with a `BaselineAnswer`. */
  baseline: (agentId: number) => `ask.${agentId}.baseline`,
  /** Request about a P5 server, an `ArchiwareQuestion`, answered with an `ArchiwareAnswer`. */
  archiware: (agentId: number) => `ask.${agentId}.archiware`,
  /** Request about a file of a StorNext server, a `StorNextQuestion`, answered with a `StorNextAnswer`. */
  storNext: (agentId: number) => `ask.${agentId}.storNext`,
  /** Request for a list of Iconik, an `IconikQuestion`, answered with an `IconikAnswer`. */
  iconik: (agentId: number) => `ask.${agentId}.iconik`,
  /** Request for a list of the transfer service, a `TransferQuestion`, answered with a `TransferAnswer`. */
  transfers: (agentId: number) => `ask.${agentId}.transfers`,
  /** Request for digests of files of a storage, a `DigestQuestion`, answered with a `DigestAnswer`. */
  digests: (agentId: number) => `ask.${agentId}.digests`,
  /** Request to ask at once what to follow, without content and without an answer. */
  refollow: (agentId: number) => `ask.${agentId}.refollow`,
} as const

export const subjects = {
  entries: (agentId: number, scanId: number) => `scans.${agentId}.${scanId}.entries`,
  lifecycle: (agentId: number, scanId: number) => `scans.${agentId}.${scanId}.lifecycle`,
  allEntries: 'scans.*.*.entries',
  allLifecycle: 'scans.*.*.lifecycle',
  entriesOf: (agentId: number) => `scans.${agentId}.*.entries`,
  lifecycleOf: (agentId: number) => `scans.${agentId}.*.lifecycle`,

  /** Work queue of an agent for tasks of a type; a message is a `TaskNotice`. */
  tasks: (agentId: number, type: AgentTaskType) => `tasks.${agentId}.${type}`,
  allTasks: 'tasks.*.*',

  /** An agent's `Heartbeat`, every 5 seconds. */
  heartbeat: (agentId: number) => `agents.${agentId}.heartbeat`,
  allHeartbeats: 'agents.*.heartbeat',
  /** Request of an agent that starts a task, answered with its order (a `ScanOrder`) or the reason why not. */
  startTask: (agentId: number) => `agents.${agentId}.start`,
  allStartTask: 'agents.*.start',
  /** Request for the next page of the folders that a resumed scan still has to list. */
  pending: (agentId: number) => `agents.${agentId}.pending`,
  allPending: 'agents.*.pending',
  /** Request for files of an action, a `FilesRequest`, answered with a `FilesPage`. */
  files: (agentId: number) => `agents.${agentId}.files`,
  allFiles: 'agents.*.files',
  /** States of files of an action, an `OutcomesReport`, answered with a `ReportAnswer` once they are stored. */
  outcomes: (agentId: number) => `agents.${agentId}.outcomes`,
  allOutcomes: 'agents.*.outcomes',
  /** End of an attempt of an action, an `EndReport`, answered with a `ReportAnswer`. */
  ended: (agentId: number) => `agents.${agentId}.ended`,
  allEnded: 'agents.*.ended',
  /** Request for digests of the copies of moved files, a `CopiesRequest`, answered with a `CopiesAnswer`. */
  copies: (agentId: number) => `agents.${agentId}.copies`,
  allCopies: 'agents.*.copies',
  /** Request of an agent for the storages whose changes it should follow, a `FollowRequest`, answered with a `FollowAnswer`. */
  follow: (agentId: number) => `agents.${agentId}.follow`,
  allFollow: 'agents.*.follow',
  /** Folders that were listed again, as a block with `flushHeaders`, answered with a `FlushAnswer`. */
  flush: (agentId: number) => `agents.${agentId}.flush`,
  allFlush: 'agents.*.flush',

  ...requestSubjects,
  allRequests: (agentId: number) => `ask.${agentId}.>`,
  /** Inbox of an agent for replies. It can't read those of other agents. */
  inbox: (agentId: number) => `_INBOX_agent-${agentId}.>`,

  /** Request to write a backup, a `BackupOrder`, answered by several `OrderProgress`. Agents may not send it. */
  backup: 'backups.write',
  /** Request to read all data of the stores, answered by several `OrderProgress`. Agents may not send it. */
  scrub: 'stores.scrub',

  /** A byte that a health check of the server writes to the disk of NATS. */
  healthCheck: 'health.check',

  /** Events that all replicas pass on to their browsers; a message is a `LiveEvent`. */
  live: 'live',
  /** A replica has the first block of a flush; a message is the name of that replica and the ID of the storage. Other replicas pass it the blocks that they receive. */
  flushBegun: 'flushes',
  flushBlocks: (replica: string) => `flushes.${replica}`,
  /** A replica appended to the event log. The message is the name of that replica, without log data. */
  appended: 'appended',
} as const

/** Maximum size of an agent's answer in bytes, unpacked: a hostile agent could send a small one that unpacks to very much. */
export const maxAnswerBytes = 16 * 1024 ** 2

/** Header of an answer without content, because an agent's answer does not fit into a message even when its lists are cut. */
export const tooLargeHeader = 'DataIntell-Too-Large'

/** Header of an answer whose content is the reason why the agent refuses the request, as text. */
export const refusedHeader = 'DataIntell-Refused'

/** The agent and the scan of a subject below `scans`. */
export function readScanSubject(subject: string): { agentId: number; scanId: number } | undefined {
  const [, agentId, scanId] = /^scans\.(\d{1,9})\.(\d{1,15})\.\w+$/.exec(subject) ?? []
  return agentId && scanId ? { agentId: Number(agentId), scanId: Number(scanId) } : undefined
}

/**
 * True if only that agent receives a reply to this subject: it is below the agent's inbox, or nats-server created it
 * for a request from another account.
 */
export const isReplyTo = (agentId: number, reply: string | undefined): boolean =>
  reply !== undefined && (reply.startsWith(`_INBOX_agent-${agentId}.`) || reply.startsWith('_R_.'))

/** The agent of a subject below `agents`. */
export const readAgentSubject = (subject: string): number | undefined => {
  const [, agentId] = /^agents\.(\d{1,9})\./.exec(subject) ?? []
  return agentId ? Number(agentId) : undefined
}
