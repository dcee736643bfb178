import { z } from 'zod'
import { endpoint } from './contract/endpoint.ts'

/** A configuration key: description, default value and validation. Values are transmitted as text. */
type Key = { description: string; usual: string; check: z.ZodType<string>; isHashed?: true }

const wholeNumber = (least: 0 | 1, most = 999_999_999) =>
  z
    .string()
    .regex(/^\d+$/, 'Value must be a positive number')
    .refine((text) => Number(text) >= least, 'Value must be a positive number')
    .refine((text) => Number(text) <= most, `Value must be at most ${most}`)
/** At most a hundred years: dates further back are not supported. */
const days = wholeNumber(1, 36_500)
const yesOrNo = z.enum(['true', 'false'], 'Value must be true or false')
/** One line of text without control characters. */
const line = (tooLong: string) =>
  z
    .string()
    .trim()
    .max(255, tooLong)
    .regex(/^\P{Cc}*$/u, 'Value must not contain control characters')
const emailOrNone = line('From must be a well-formed email address').refine(
  (text) => text === '' || z.email().safeParse(text).success,
  'From must be a well-formed email address',
)
const address = line('URL must have at most 255 characters')
  .refine((text) => !/^(https?:\/*)?$/i.test(text), { error: "URL can't be empty", abort: true })
  .refine((text) => z.url({ protocol: /^https?$/ }).safeParse(text).success, 'URL must begin with http:// or https://')

export const configurationKeys = {
  'app.url': { description: 'Application URL, as mails link to it', usual: '', check: address },
  jobQueuedLength: { description: 'Maximum number of waiting jobs', usual: '100', check: wholeNumber(0) },
  snapshotNumberOfDays: { description: 'Days that snapshots are kept', usual: '365', check: days },
  snapshotKeepFirstDayOfMonth: {
    description: 'The first snapshot of each month is kept for ever',
    usual: 'true',
    check: yesOrNo,
  },
  jobRetention: { description: 'Days that jobs are kept after their end', usual: '30', check: days },
  deletedFilesNumberOfDays: { description: 'Days that deleted files are listed', usual: '30', check: days },
  /** Bytes. */
  'scan.tagDuplicate.minimumSize': {
    description: 'Smaller files do not count as duplicates',
    usual: '0',
    check: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  },
  isAlwaysUpdateActive: { description: 'An access alone makes a new version', usual: 'true', check: yesOrNo },
  /** With both 0, hybrid scans share all folders from the start. */
  numberOfFiles: {
    description: 'Files that one thread of a hybrid scan reads alone',
    usual: '0',
    check: wholeNumber(0),
  },
  folderDepth: { description: 'Depth to which hybrid scans share folders', usual: '0', check: wholeNumber(0) },
  isPerformanceModeActive: {
    description: 'Scans without owners, groups and duplicate folders',
    usual: 'false',
    check: yesOrNo,
  },
  serverNumberOfThreads: { description: 'Threads of each agent', usual: '2', check: wholeNumber(1, 256) },
  scanCheckEvery: {
    description: 'Scans of a storage of which one is sent in full, and checks what the others left out',
    usual: '10',
    check: wholeNumber(1),
  },
  maxNumberOfFilesCsv: {
    description: 'Entries that a download has at most',
    usual: '1000000',
    check: wholeNumber(1, 10_000_000),
  },
  isHealthCheckActive: { description: 'Health checks every store', usual: 'true', check: yesOrNo },
  'spring.mail.host': {
    description: 'Mail hostname',
    usual: '',
    check: line('Hostname must have at most 255 characters')
      .min(1, "Hostname can't be empty")
      .regex(/^[^\s/@]+$/, 'Hostname must be a name or an address'),
  },
  'spring.mail.port': { description: 'Mail port', usual: '587', check: wholeNumber(1, 65_535) },
  /** Must also be set while `auth` is on. */
  'spring.mail.username': {
    description: 'Mail username',
    usual: '',
    check: line('Username must have at most 255 characters'),
  },
  /** Leave empty to remove the password. */
  'spring.mail.password': {
    description: 'Mail password',
    usual: '',
    check: z.string().max(1_000, 'Password must have at most 1000 characters'),
    isHashed: true,
  },
  'spring.mail.from': { description: 'Sender of mails', usual: '', check: emailOrNone },
  'spring.mail.properties.mail.smtp.auth': { description: 'SMTP authentication', usual: 'true', check: yesOrNo },
  'spring.mail.properties.mail.smtp.starttls.enable': {
    description: 'Use TLS when offered',
    usual: 'true',
    check: yesOrNo,
  },
  'spring.mail.properties.mail.smtp.starttls.required': {
    description: 'Refuse mail servers without TLS',
    usual: 'false',
    check: yesOrNo,
  },
  'spring.mail.properties.mail.smtp.ssl.enable': {
    description: 'TLS on connect (SSL)',
    usual: 'false',
    check: yesOrNo,
  },
} as const satisfies Record<string, Key>
export type ConfigurationName = keyof typeof configurationKeys
export const configurationNames = Object.keys(configurationKeys) as [ConfigurationName, ...ConfigurationName[]]

/** Names of values that can be written but not read. */
export type HashedName = {
  [N in ConfigurationName]: (typeof configurationKeys)[N] extends { isHashed: true } ? N : never
}[ConfigurationName]
export const isHashed = (name: ConfigurationName): name is HashedName => 'isHashed' in configurationKeys[name]

/**
 * `value` is null for hashed keys; `isSet` is true if the value differs from the default. `isLost`: a hashed value was
 * stored with another server key and has to be entered again.
 */
export const ConfigurationEntry = z.object({
  name: z.enum(configurationNames),
  description: z.string(),
  value: z.string().nullable(),
  isHashed: z.boolean(),
  isSet: z.boolean(),
  isLost: z.boolean(),
})
export type ConfigurationEntry = z.infer<typeof ConfigurationEntry>

const needs = 'settings.edit'

export const configurations = {
  list: endpoint({
    method: 'GET',
    path: '/configurations',
    needs,
    failure: 'Unable to fetch the configurations',
    answer: z.array(ConfigurationEntry),
  }),
  /**
   * Returns the entries that changed. Either all or none of them change. An invalid value is a sub-error of its name.
   * An entry that keeps its value is not validated.
   */
  update: endpoint({
    method: 'PUT',
    path: '/configurations',
    needs,
    failure: 'Unable to update the configurations',
    body: z
      .array(z.object({ name: z.enum(configurationNames), value: z.string().max(10_000) }))
      .min(1, 'must name at least one entry')
      .max(100),
    answer: z.array(ConfigurationEntry),
  }),
}
