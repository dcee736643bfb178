import { file, get, list, page, post, put, refused, remove, type Row } from './row.ts'

/** Values of configuration entries that differ from the defaults. */
const values = {
  'app.url': 'https://dataintell.example.com',
  isHealthCheckActive: 'false',
  jobQueuedLength: '1000',
  isBetaActive: 'false',
  snapshotNumberOfDays: '3650',
  snapshotKeepFirstDayOfMonth: 'false',
  jobRetention: '60',
  deletedFilesNumberOfDays: '60',
  'scan.tagDuplicate.minimumSize': '1',
  isAlwaysUpdateActive: 'false',
  numberOfFiles: '100',
  folderDepth: '3',
  isPerformanceModeActive: 'true',
  scanDellPowerscaleNumberOfThreads: '4',
  maxNumberOfFilesCsv: '500000',
  serverNumberOfThreads: '4',
  fileNumberOfShards: '5',
  fileNumberOfReplicas: '1',
  projectNumberOfShards: '5',
  projectNumberOfReplicas: '1',
  reportNumberOfShards: '5',
  reportNumberOfReplicas: '1',
  volumeNumberOfShards: '5',
  volumeNumberOfReplicas: '1',
  'spring.mail.username': 'dataintell',
  'spring.mail.host': '127.0.0.1',
  'spring.mail.port': '{mailPort}',
  'spring.mail.from': 'dataintell@example.com',
  'spring.mail.properties.mail.smtp.auth': 'false',
  'spring.mail.properties.mail.smtp.starttls.enable': 'false',
  'spring.mail.properties.mail.smtp.starttls.required': 'false',
  'spring.mail.properties.mail.smtp.ssl.enable': 'false',
  // A stored password would have to be entered again with a change of those above.
  'spring.mail.password': 'planted',
}

/** Document 2, section 7: administration. The path of the restart is not shown there. */
export const administration: Row[] = [
  get(
    '/v1/servers/infos',
    list('id name version isActive lastCheckedDate lastActiveDate', { id: '{agent}', isActive: false }),
  ),
  get('/administration/dates', list('indexingDate', { indexingDate: '{previousDate}' })),
  get('/administration/logs', file('logs.zip')),
  get('/configurations', list('name description value isHashed', { name: 'app.url', isHashed: false })),
  ...Object.entries(values).map(([name, value]) =>
    put('/configurations', [{ name, description: 'As it was read', value }], list('')),
  ),
  get('/configurations', list('', { name: 'jobRetention', value: '60' })),
  get('/configurations', list('', { name: 'spring.mail.password', value: null, isHashed: true })),
  put(
    '/configurations',
    [
      { name: 'jobRetention', description: 'Days', value: '90' },
      { name: 'folderDepth', description: 'Depth', value: '4' },
    ],
    list('name description value', { name: 'folderDepth', value: '4' }),
  ),
  post('/v1/emails/tests', undefined, { shape: { type: 'done' } }),
  get('/v1/jobs/{tagJob}/tasks', page('id type payload result status createdAt startedAt updatedAt')),
  remove('/v1/administration/snapshots/{previousDate}'),
  remove('/v1/administration/snapshots/{previousDate}', refused(404, '{previousDate}')),
]

/** The last call of the administration, as it cancels the jobs of all others. */
export const cancelJobs: Row[] = [put('/v1/jobs/cancel', undefined)]
