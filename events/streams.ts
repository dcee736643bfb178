/**
 * Names of the event log's streams. Each object has its own stream, named after its kind and ID (`job-42`); some kinds
 * have a single one. Stream names are built and parsed only here.
 */
export const streamNames = {
  agent: (id: number) => `agent-${id}` as const,
  apiToken: (id: number) => `api-token-${id}` as const,
  archiwareCredential: (id: number) => `archiwareCredential-${id}` as const,
  archiwareMapping: (id: number) => `archiwareMapping-${id}` as const,
  bucketCredential: (id: number) => `bucketCredential-${id}` as const,
  channel: (id: number) => `channel-${id}` as const,
  eventDestination: (id: number) => `event-destination-${id}` as const,
  /** Stream of the limits of a group of single sign-on, by its name. */
  groupLimits: (name: string) => `group-limits-${name}` as const,
  import: (id: number) => `import-${id}` as const,
  job: (id: number) => `job-${id}` as const,
  /** Stream of the limits of a user, by the user's ID. */
  limits: (userId: number) => `limits-${userId}` as const,
  networkCredential: (id: number) => `networkCredential-${id}` as const,
  notification: (id: number) => `notification-${id}` as const,
  policy: (id: number) => `policy-${id}` as const,
  powerScaleCredential: (id: number) => `powerScaleCredential-${id}` as const,
  priceBook: (id: number) => `storage-price-${id}` as const,
  project: (id: number) => `project-${id}` as const,
  report: (id: number) => `report-${id}` as const,
  savedSearch: (id: number) => `savedSearch-${id}` as const,
  schedule: (id: number) => `schedule-${id}` as const,
  /** Stream of a session, by the start of its hash. */
  session: (hash: string) => `session-${hash.slice(0, 16)}` as const,
  /** Stream of a snapshot by its day, `yyyy-MM-dd`. */
  snapshot: (day: string) => `snapshot-${day}` as const,
  sodaMapping: (id: number) => `sodaMapping-${id}` as const,
  storNextCredential: (id: number) => `storNextCredential-${id}` as const,
  storNextMapping: (id: number) => `storNextMapping-${id}` as const,
  /** Stream of a change of tags by its version. */
  tags: (version: number) => `tags-${version}` as const,
  user: (id: number) => `user-${id}` as const,
  volume: (id: number) => `volume-${id}` as const,
  /** Stream of a wall display by the ID of its token. */
  wall: (id: number) => `wall-${id}` as const,
  /** Stream of the limits of a wall display, by the ID of its token. */
  wallLimits: (id: number) => `wall-limits-${id}` as const,
  api: 'api',
  backups: 'backups',
  health: 'health',
  configuration: 'configuration',
  /** Stream of the folders whose bytes are metrics. */
  metrics: 'metrics',
  jobRetention: 'job-retention',
  /** Failed sign-ins with names that no account has. */
  signIns: 'sign-ins',
} as const

/** Names of objects that differ from the name of their stream, by the part of it before their ID. */
export const streamNouns: Record<string, string> = {
  'api-token': 'API token',
  archiwareCredential: 'Archiware P5 credentials',
  archiwareMapping: 'path configuration',
  'event-destination': 'event log destination',
  'group-limits': 'limits of group',
  limits: 'limits of user',
  networkCredential: 'On-Premises credentials',
  powerScaleCredential: 'Dell PowerScale credentials',
  savedSearch: 'saved search',
  sodaMapping: 'SODA path configuration',
  storNextCredential: 'Quantum StorNext credentials',
  storNextMapping: 'Quantum StorNext path configuration',
  'storage-price': 'price book',
  volume: 'storage',
  'wall-limits': 'limits of wall',
}

type Names = typeof streamNames
type NameOf<Name> = Name extends (...id: never[]) => infer Made ? Made : Name
export type StreamName = { [Kind in keyof Names]: NameOf<Names[Kind]> }[keyof Names]

/** Prefix of job streams; with `%` appended, a LIKE pattern for all of them. */
export const jobStreamPrefix = 'job-'

/** ID of the job that the stream belongs to, if any. */
export function jobIdOfStream(stream: string): number | undefined {
  const [, id] = /^job-(\d{1,15})$/.exec(stream) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Display name of a stream: `job-42` is job 42, `storage-price-3` storage price 3. */
export const streamLabel = (stream: string): string =>
  stream.replace(/^([a-z]+-)+/, (words) => words.replaceAll('-', ' '))
