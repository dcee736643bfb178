import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { filledPath } from '#events/contract/blank.ts'
import { crud, endpoint, Id, IdNumber } from '#events/contract/endpoint.ts'
import { PaceOfRequests } from '#events/contract/pace.ts'
import { CertificateFingerprint, credentialName, line, urlFault } from './credentialFields.ts'
import { PriceBookOfStorage } from './fileStorages.ts'
import { ConnectionCheck } from './sourceField.ts'

const settings = { needs: 'settings.edit', bundle: 'archiwareP5' } as const

/** The fault of the address of a P5 server. */
function addressFault(url: string): string | undefined {
  if (/^(https?:\/*)?$/i.test(url)) return 'must not be empty or only http:// or https://'
  return urlFault(url)
}

/** A user of a P5 server. A password goes in and never comes out; null keeps the one that is stored. */
export const ArchiwareCredentialDraft = z.object({
  name: credentialName,
  username: line(1, 255),
  password: line(1, 255).nullable(),
  url: z
    .string()
    .trim()
    .max(255)
    .superRefine((url, { addIssue }) => {
      const message = addressFault(url)
      if (message) addIssue({ code: 'custom', message })
    })
    .default('http://'),
  certificateFingerprint: CertificateFingerprint,
})
export type ArchiwareCredentialDraft = z.infer<typeof ArchiwareCredentialDraft>

/** `isPasswordLost`: the password was stored with another key than the server has now, and has to be entered again. */
export const ArchiwareCredential = ArchiwareCredentialDraft.omit({ password: true }).extend({
  id: z.int(),
  certificateFingerprint: z.string(),
  isPasswordLost: z.boolean(),
})
export type ArchiwareCredential = z.infer<typeof ArchiwareCredential>

/** A name that is taken, and new credentials without a password, are 400; credentials in use can't be deleted: 409. */
export const archiwareCredentials = crud('/v1/archiwares/credentials', {
  ...settings,
  entity: ArchiwareCredential,
  draft: ArchiwareCredentialDraft,
  secrets: ['password'],
  one: 'archiware credential',
  many: 'archiware credentials',
  failures: { list: 'Unable to get the list of archiware credentials' },
})

const filled = (label: string, max: number) => z.string().trim().min(1, `${label} can't be empty`).max(max)

/** An archive index of a P5 server that is scanned, from a folder of it on; '/' is all of it. */
export const ArchiwareDraft = z.object({
  indexId: filled('IndexId', 255),
  path: filledPath("Path can't be empty")
    .overwrite((path) => `/${path}`.replaceAll(/\/{2,}/g, '/').replace(/(.)\/$/, '$1'))
    .refine((path) => !/\/\.{1,2}(\/|$)|\0/.test(path), 'must not have . or .. in it'),
  name: nameText({ blank: "DataIntell Name can't be empty" }),
  archiwareP5Credential: z.object({ id: z.int() }, "Credentials can't be empty"),
  storagePrice: PriceBookOfStorage,
  serverId: z.int().min(1, "Agent can't be empty").default(1),
  pace: PaceOfRequests,
})
export type ArchiwareDraft = z.infer<typeof ArchiwareDraft>

/** `volumeSettingId` is the storage as every other call knows it. */
export const Archiware = ArchiwareDraft.extend({
  id: z.int(),
  volumeSettingId: z.int(),
  storagePrice: PriceBookOfStorage.nullable(),
})
export type Archiware = z.infer<typeof Archiware>

export const archiwares = crud('/v1/archiwares', {
  ...settings,
  entity: Archiware,
  draft: ArchiwareDraft,
  one: 'archiware',
  many: 'Archiware P5 Indexes',
  failures: { list: 'Unable to get the list of archiwares' },
})

/**
 * Names of the indexes of a P5 server, as an agent sees them. What P5 answers to a failed request is the `debugMessage` of 502; 503
 * when the agent doesn't answer.
 */
export const archiwareIndexNames = endpoint({
  ...settings,
  method: 'GET',
  path: '/v1/archiwares/credentials/:id/indexes',
  failure: 'Something went wrong while fetching the Archiware P5 Indexes',
  params: Id,
  query: z.object({ serverId: IdNumber.default(1) }),
  answer: z.array(z.string()),
})

/** Credentials that are not saved yet. A password that is null is that of the stored credentials `id`. */
export const ArchiwareCredentialOfSource = z.object({ id: z.int().nullable(), draft: ArchiwareCredentialDraft })
export type ArchiwareCredentialOfSource = z.infer<typeof ArchiwareCredentialOfSource>

/** Has the built-in agent sign in at a P5 server. Nothing is changed. */
export const archiwareCredentialCheck = endpoint({
  ...settings,
  method: 'POST',
  path: '/v1/archiwares/credentials/check',
  failure: 'Unable to test the connection',
  body: ArchiwareCredentialOfSource,
  answer: ConnectionCheck,
})

const launching = { needs: 'archiware.use', bundle: 'archiwareP5', method: 'GET' } as const

/** An archive plan, and the agent and credentials that reach its P5 server. `storage` is the pool that it writes to. */
export const ArchiwarePlan = z.object({
  planId: z.string(),
  planName: z.string(),
  index: z.string(),
  deleteFiles: z.boolean(),
  deleteAll: z.boolean(),
  storage: z.string(),
  server: z.object({ id: z.int(), name: z.string() }),
  credentialsId: z.int(),
  credentialsName: z.string(),
})
export type ArchiwarePlan = z.infer<typeof ArchiwarePlan>

/**
 * Plans of the P5 servers of all indexes. Servers that don't answer are left out; if none of several answers, the call fails as
 * `archiwareIndexNames` does.
 */
export const archiwarePlans = endpoint({
  ...launching,
  limitedBy: 'refused',
  path: '/v1/archiwares/plans',
  failure: 'Unable to get the list of archiware plans',
  answer: z.array(ArchiwarePlan),
})

/** A machine that a P5 server archives from and restores to. */
export const ArchiwareClient = z.object({
  clientName: z.string(),
  credentialsId: z.int(),
  credentialsName: z.string(),
  server: z.object({ id: z.int() }),
})
export type ArchiwareClient = z.infer<typeof ArchiwareClient>

/** Clients of the same P5 servers. */
export const archiwareClients = endpoint({
  ...launching,
  limitedBy: 'refused',
  path: '/v1/archiwares/clients',
  failure: 'Unable to get the list of archiware clients',
  answer: z.array(ArchiwareClient),
})

/** A P5 server and the password to sign in there, which is only sent to agents. */
export const ArchiwareConnection = z.object({
  url: z.string(),
  username: z.string(),
  password: z.string(),
  /** See `CertificateFingerprint`. */
  fingerprint: z.string().optional(),
})
export type ArchiwareConnection = z.infer<typeof ArchiwareConnection>

/** An index that an agent scans from a folder of it on; '/' is all of it. */
export const ArchiwareOrder = ArchiwareConnection.extend({
  kind: z.literal('archiware'),
  index: z.string(),
  path: z.string(),
})
export type ArchiwareOrder = z.infer<typeof ArchiwareOrder>
