import { z } from 'zod'
import { ExternalFailure } from '#events/contract/externalText.ts'
import { crud } from '#events/contract/endpoint.ts'
import { pageQuery } from '#events/contract/page.ts'
import { CertificateFingerprint, credentialName, line, urlFault } from '#events/sources/credentialFields.ts'
import { mappedStorage, mappedPath } from '#events/sources/pathMapping.ts'

const settings = { needs: 'settings.edit', bundle: 'storageManager' } as const

/** The fault of the address of StorNext web services. */
function hostFault(host: string): string | undefined {
  if (/^https?:/i.test(host)) return urlFault(host)
  const { username, password, search, hash } = URL.parse(`https://${host}`) ?? {}
  const isHost = username === '' && password === '' && search === '' && hash === '' && !host.includes('://')
  return isHost ? undefined : 'must be a name or an address, or a URL that begins with https:// or http://'
}

/** Text that may be left out. */
const optional = line(0, 255)
  .nullable()
  .default(null)
  .transform((text) => text || null)

/**
 * Web services of a Quantum StorNext server, and their user, if they require one. In an update, a password of null or an empty one
 * keeps the stored password; without a user there is no password. Responses never contain the password.
 */
export const StorNextConfigDraft = z.object({
  name: credentialName,
  /** A host, which is reached by https, with a port if it differs from the default one, or the complete base URL. */
  host: line(1, 255)
    .trim()
    .superRefine((host, { addIssue }) => {
      const message = host === '' ? undefined : hostFault(host)
      if (message) addIssue({ code: 'custom', message })
    }),
  username: optional,
  password: optional,
  certificateFingerprint: CertificateFingerprint,
})
export type StorNextConfigDraft = z.infer<typeof StorNextConfigDraft>

/** `isPasswordLost`: the password was encrypted with another key than the server's current one, and must be entered again. */
export const StorNextConfig = StorNextConfigDraft.omit({ password: true }).extend({
  id: z.int(),
  username: z.string().nullable(),
  certificateFingerprint: z.string(),
  isPasswordLost: z.boolean(),
})
export type StorNextConfig = z.infer<typeof StorNextConfig>

/** A name that is taken is 400. Credentials that a storage is mapped with can't be deleted: 409. */
export const storNextConfigs = crud('/v1/storageManager/configs', {
  ...settings,
  entity: StorNextConfig,
  draft: StorNextConfigDraft,
  one: 'Quantum StorNext credentials',
  many: 'Quantum StorNext credentials',
})

/** The path of a folder of a storage in Quantum StorNext, and the credentials to use there. */
export const StorNextMappingDraft = z.object({
  volumeId: mappedStorage('File Storage'),
  storageManagerConfigId: z
    .int('Quantum StorNext Credentials must not be empty')
    .min(1, 'Quantum StorNext Credentials must not be empty'),
  dataintellPath: mappedPath('DataIntell Path'),
  storageManagerPath: mappedPath('Quantum StorNext Path'),
})
export type StorNextMappingDraft = z.infer<typeof StorNextMappingDraft>

/** `volumeName` is the name of the storage, `storageManagerConfigName` of the credentials. */
export const StorNextMapping = StorNextMappingDraft.extend({
  id: z.int(),
  volumeName: z.string(),
  storageManagerConfigName: z.string(),
})
export type StorNextMapping = z.infer<typeof StorNextMapping>

const mappingCalls = crud('/v1/storageManager/volumeMappings', {
  ...settings,
  entity: StorNextMapping,
  draft: StorNextMappingDraft,
  query: pageQuery(200),
  one: 'Quantum StorNext storage path configuration',
  many: 'Quantum StorNext storage path configurations',
})

/** Each storage has at most one mapping. Users who may archive or restore can list the mappings. */
export const storNextMappings = { ...mappingCalls, list: { ...mappingCalls.list, needs: 'storNext.use' } } as const

/** Web services and the password to sign in there, which is only sent to agents. */
export const StorNextConnection = z.object({
  host: z.string(),
  /** Both are missing if the web services require no sign-in. */
  username: z.string().optional(),
  password: z.string().optional(),
  /** See `CertificateFingerprint`. */
  fingerprint: z.string().optional(),
})
export type StorNextConnection = z.infer<typeof StorNextConnection>

/** Knowledge of a Storage Manager about one file. Texts are as it sends them. */
export const StoredFile = z.object({
  /** `DISK`, `TAPE`, `DISK AND TAPE`, `FOREIGN SYSTEM`, or a word of a newer version. */
  location: z.string(),
  isOnDisk: z.boolean(),
  isOnTape: z.boolean(),
  /** All copies that its policy requires exist, with the same checksums. Empty files need no copy. */
  isSafe: z.boolean(),
  /** '' for a file that no policy class applies to. */
  policyClass: z.string(),
  existingCopies: z.number(),
  targetCopies: z.number(),
  /** Tapes, with the number of the copy on each, from 1. */
  media: z.array(z.object({ mediaId: z.string(), copy: z.number() })).max(10_000),
  /** MD5 of each segment of each copy. */
  checksums: z.array(z.object({ value: z.string(), segment: z.number(), copy: z.number() })).max(100_000),
  /** Bytes, and bytes that stay on disk without the disk copy. */
  size: z.number(),
  stubSize: z.number(),
  /** Text in the server's own format and time zone. */
  modified: z.string(),
  /** All fields of the response. */
  raw: z.record(z.string(), z.unknown()),
})
export type StoredFile = z.infer<typeof StoredFile>

/** A request of the server to an agent about one file. `path` is the file's path as the StorNext server sees it. */
export const StorNextQuestion = z.object({ connection: StorNextConnection, path: z.string() })
export type StorNextQuestion = z.infer<typeof StorNextQuestion>

/** `file` is null for a file that the Storage Manager does not know. `debugMessage` is its own text. */
export const StorNextAnswer = z.object({
  failure: ExternalFailure.nullable(),
  file: StoredFile.nullable(),
})
export type StorNextAnswer = z.infer<typeof StorNextAnswer>
