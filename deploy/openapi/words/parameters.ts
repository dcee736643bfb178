import { entryFields, wordOf } from '#events/entries/fields.ts'
import { filterRanges, rangeFields } from '#events/search/filterRanges.ts'

/** A parameter for readers. `example` is a value that calls accept. */
type ParameterWords = { description: string; example: unknown }

const words = (description: string, example: unknown): ParameterWords => ({ description, example })

const flag = (description: string) => words(`${description} true or false.`, 'true')

/** Filters by a range of a field. */
const ranges: [string, ParameterWords][] = rangeFields('moment', 'bytes', 'count').flatMap((field) => {
  const [lower, upper] = filterRanges[field]
  const { kind } = entryFields[field]
  const word = wordOf(field)
  const name = word.toLowerCase()
  if (kind === 'moment')
    return [
      [lower, words(`${word} on this day or later.`, '2026-01-01')],
      [upper, words(`${word} before this day.`, '2024-01-01')],
    ]
  if (kind === 'count')
    return [
      [lower, words(`Folders with at least this ${name}.`, 1)],
      [upper, words(`Folders with at most this ${name}.`, 1000)],
    ]
  return [
    [lower, words(`Smallest ${name}, in the unit of ${lower}Unit.`, 1)],
    [`${lower}Unit`, words(`Unit of ${lower}.`, 'GB')],
    [upper, words(`Largest ${name}, in the unit of ${upper}Unit.`, 10)],
    [`${upper}Unit`, words(`Unit of ${upper}.`, 'TB')],
  ]
})

/** Filters of a search. All of them are combined with AND. */
const filters: Record<string, ParameterWords> = {
  search: words('Words of a name in any order. * stands for any characters, ? for one.', '*.mov'),
  name: words('Words of a name, like search.', 'final'),
  startingPath: words('Folder to search in. Accepts full paths.', '/projects'),
  storageAndPath: words('Folders to search in, as storage ID, colon and path.', ['1:/projects']),
  volumeAndPath: words('Same as storageAndPath.', ['1:/projects']),
  ignorePattern: words('Names to leave out. Accepts * and ?.', ['*.tmp']),
  extension: words('Extensions without a dot.', ['mov']),
  fileType: words('Groups of file types.', ['video']),
  owner: words('Name of the owner.', 'ana'),
  group: words('Name of the group.', 'editors'),
  ...Object.fromEntries(ranges),
  lastAccessAfter: words('Last accessed or changed on this day or later.', '2026-01-01'),
  lastAccessBefore: words('Last accessed, and not changed later, before this day.', '2024-01-01'),
  backupAfter: words('Backed up on this day or later.', '2026-01-01'),
  backupBefore: words('Backed up before this day.', '2024-01-01'),
  sizeBase: words('2 for units of 1,024, which is the default, or 10 for units of 1,000.', '2'),
  onlyDuplicates: flag('Only files with duplicates.'),
  showOnlyDeletedFiles: flag('Only deleted files.'),
  archived: words('Archive states in Archiware P5.', ['notArchived']),
  tag: words('Tags, all of which a file has.', ['delivered']),
  tags: words('Same as tag.', ['delivered']),
  report: words('Reports that found the file, by name.', ['Old and large files']),
  reports: words('Same as report.', ['Old and large files']),
}

/** Parameters by name. Names of the form `call name` belong to a single call. */
export const parameterWords: Record<string, ParameterWords> = {
  ...filters,
  id: words('ID of the item.', 7),
  'PUT /files/:id id': words('ID of the file or folder, as lists return it.', '1a2b'),
  page: words('Page of the list, from 1.', 1),
  size: words('Number of items per page.', 25),
  sort: words('Field to sort by. Also accepts field,direction.', 'name'),
  direction: words('asc or desc.', 'desc'),
  cursor: words('Cursor of the previous page, to read on behind it without counting pages.', 'cursor'),
  totals: words('true also returns the totals of all matches.', true),
  'GET /v1/emails/confirmations address': words('Email addresses.', ['ana@example.com']),
  indexingDate: words(
    'Date of the snapshot. The newest one on or before this day is used. Default: the newest.',
    '2026-11-28',
  ),
  live: flag(
    'The newest known state of each storage instead of a day: with the changes since its last scan, if it is live.',
  ),
  previousDate: words('Date of the earlier snapshot.', '2026-10-28'),
  date: words('Date of the snapshot.', '2026-11-28'),
  'POST /v1/imports format': words('Tool that wrote the export.', 'ncdu'),
  'POST /v1/imports fileName': words('Name of the file, as shown in the list of imports.', 'films.json.gz'),
  'POST /v1/imports root': words(
    'Folder of the export that is the root of the storage, as the export writes it.',
    '/mnt/films',
  ),
  'POST /v1/imports printf': words('The -printf format of find.', '%s %p\\n'),
  'POST /v1/imports unit': words('Bytes of each unit of the numbers of du.', 1024),
  'POST /v1/imports columns': words('Positions of the columns of a CSV, starting at 0.', 'path=0,size=3'),
  replace: flag('Replaces the snapshot that the day already has.'),
  storageId: words('ID of a storage.', 1),
  storageIds: words('IDs of storages.', [1]),
  volumeId: words('Same as storageId.', 1),
  'GET /v1/media/coverage volumeId': words('ID of a storage. Without it, all storages count.', 1),
  'GET /v1/archiwares/volumeMapping/volumes/:volumeId volumeId': words('ID of a storage.', 1),
  'GET /v1/media/files/:volumeId/:fileId volumeId': words('ID of a storage.', 1),
  'GET /v1/soda/storages/:storageId/folders storageId': words('ID of the storage in the transfer service.', 'a1'),
  path: words('Path of the folder. Accepts full paths.', '/projects'),
  directoryPath: words('Path of the folder. Accepts full paths.', '/projects'),
  showHiddenDirectories: flag('Include folders whose name begins with a dot.'),
  hash: words('Identification hash of a file or folder, as lists return it.', '1a2b'),
  exceptFileId: words('ID of a file to leave out.', '1a2b'),
  part: words('folders or files.', 'files'),
  levels: words('Number of levels below the folder.', 3),
  most: words('Maximum number of entries on each level.', 100),
  isDirectory: words('true for folders, false for files.', 'false'),
  dateField: words('Date to count by.', 'lastModified'),
  dateIntervalType: words('Length of the intervals.', 'YEAR'),
  fieldName: words('Field to count by.', 'owner'),
  statuses: words('Statuses of jobs.', ['FAILURE']),
  agents: words('IDs of agents.', [1]),
  lastHours: words('Created within this number of hours.', 24),
  createdFrom: words('Created at this time or later, in UTC.', '2026-01-01T00:00:00.000Z'),
  createdTo: words('Created before this time, in UTC.', '2026-02-01T00:00:00.000Z'),
  deleteTag: flag('Remove the tag instead of adding it.'),
  tagToApply: words('Tags to add or remove.', ['delivered']),
  everything: flag('Confirms that the search has no filter and means all files.'),
  kind: words('Kinds of differences.', ['CREATED']),
  optional: words('Answers null instead of 401 without a sign-in.', 'true'),
  of: words('Kind of the object: user, storage (by its volume), project, report or agent.', 'storage'),
  by: words('Grouping.', 'owner'),
  difference: words('Kind of difference.', 'NEW'),
  days: words('Number of days.', 30),
  duration: words('Number of days.', 30),
  minutes: words('Number of minutes.', 5),
  type: words('Types of events. Repeat it for several.', ['JobCreated']),
  'GET /v1/projects/:id/reports type': words('Content of the workbook.', 'OVERVIEW'),
  'GET /v1/projects/mostActiveProjects type': words('Unit of the duration.', 'days'),
  'GET /v1/volumes/mostActiveVolumes type': words('Unit of the duration.', 'days'),
  from: words('First day.', '2026-11-01'),
  to: words('Last day.', '2026-11-28'),
  ...eventTimes(['GET /v1/events', 'GET /v1/events/density', 'GET /v1/events/export']),
  ...runs(['GET /v1/reports/:id/comparison', 'GET /v1/reports/:id/comparison/entries']),
  statistics: words('false leaves out ages and duplicates, which is faster.', 'false'),
  month: words('Month as yyyy-MM.', '2026-10'),
  filter: words('Part of the name or description.', 'aurora'),
  types: words('Types of jobs. Without any, all types.', ['SCAN_ON_PREMISES']),
  status: words('WAITING or RUNNING.', 'WAITING'),
  cloneIndex: flag('The new snapshot also includes the other storages, as last scanned.'),
  isDeltaScan: flag('Read only changes since the last scan.'),
  jobGroup: words('SCANNER for schedules, ALERT for alerts.', 'SCANNER'),
  userId: words('ID of the owner of alerts.', 1),
  cron: words('Cron expression with seconds first.', '0 0 2 * * ?'),
  stream: words('Job or setting whose events are listed, such as job-42.', 'job-42'),
  actor: words('Name of the user.', 'admin'),
  agent: words('ID of the agent.', 1),
  text: words('Text in the event.', 'aurora'),
  after: words('Position behind which to continue.', 0),
  token: words('End of the link in the email to an owner: 43 characters.', 'x'.repeat(43)),
  before: words('Position before which to continue.', 1000),
  position: words('Position of the event.', 1000),
  pieces: words('Number of intervals.', 100),
  leftOut: flag('List the files that are left out instead.'),
  serverId: words('ID of the agent.', 1),
  planId: words('ID of the archive plan.', '10001'),
  clientId: words('ID of the client.', 'localhost'),
  credentialsId: words('ID of the credentials.', 1),
  region: words('Region of the provider.', 'us-east-1'),
  namespace: words('Namespace of the tenancy. Oracle only.', 'namespace'),
  fileId: words('ID of the file, as a hexadecimal number.', '1a2b'),
  endCursor: words('Cursor of the previous page.', 'cursor'),
  filterType: words('Mount types of storages.', ['SMB']),
}

function eventTimes(calls: string[]) {
  const from = words('First moment.', '2026-11-27T00:00:00.000Z')
  const to = words('Last moment.', '2026-11-28T00:00:00.000Z')
  return Object.fromEntries(
    calls.flatMap((call) => [
      [`${call} from`, from],
      [`${call} to`, to],
    ]),
  )
}

function runs(calls: string[]) {
  const from = words('ID of the earlier run.', 1)
  const to = words('ID of the later run.', 2)
  return Object.fromEntries(
    calls.flatMap((call) => [
      [`${call} from`, from],
      [`${call} to`, to],
    ]),
  )
}
