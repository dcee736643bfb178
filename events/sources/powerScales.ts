import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { filledPath } from '#events/contract/blank.ts'
import { crud, endpoint, Id } from '#events/contract/endpoint.ts'
import { PaceOfRequests } from '#events/contract/pace.ts'
import { betweenCharacters, CertificateFingerprint, credentialName, line } from './credentialFields.ts'
import { FileStorageDraft, PriceBookOfStorage } from './fileStorages.ts'
import { hostFault } from './mountRules.ts'
import { ConnectionCheck } from './sourceField.ts'

/** A user of the API of OneFS. A password goes in and never comes out; null keeps the one that is stored. */
export const PowerScaleCredentialDraft = z.object({
  name: credentialName,
  username: line(1, 255),
  password: line(1, 255).nullable(),
})
export type PowerScaleCredentialDraft = z.infer<typeof PowerScaleCredentialDraft>

/** `isPasswordLost`: the password was stored with another key than the server has now, and has to be entered again. */
export const PowerScaleCredential = PowerScaleCredentialDraft.omit({ password: true }).extend({
  id: z.int(),
  isPasswordLost: z.boolean(),
})
export type PowerScaleCredential = z.infer<typeof PowerScaleCredential>

const ofCredentials = crud('/v1/powerScales/credentials', {
  entity: PowerScaleCredential,
  draft: PowerScaleCredentialDraft,
  secrets: ['password'],
  one: 'Dell PowerScale credentials',
  many: 'Dell PowerScale credentials',
  needs: 'settings.edit',
})

/** A name that is taken, and new credentials without a password, are 400; credentials in use can't be deleted: 409. */
export const powerScaleCredentials = {
  ...ofCredentials,
  one: endpoint({
    method: 'GET',
    path: '/v1/powerScales/credentials/:id',
    needs: 'settings.edit',
    failure: 'Unable to get Dell PowerScale credentials',
    params: Id,
    answer: PowerScaleCredential,
  }),
}

const text = z.string().trim().min(1, betweenCharacters(1, 255)).max(255, betweenCharacters(1, 255))
const days = (min: number) => {
  const range = `must be a whole number from ${min} to 36500`
  return z.int(range).min(min, range).max(36_500, range)
}

/** Host and port of an address that begins with https://; other text is unchanged. */
const hostOfAddress = (text: string): string => text.replace(/^https:\/\/([^/?#]*).*$/is, '$1')

/** The fault of a host with or without a port. */
function addressFault(address: string): string | undefined {
  if (/^http:/i.test(address)) return 'must begin with https:// or be a host: the cluster has no API without TLS'
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/s.exec(address) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return 'must have a port from 1 to 65535'
  return hostFault(host)
}

/** The fault of a folder of OneFS, all of which are under /ifs. */
function folderFault(path: string): string | undefined {
  if (!/^\/ifs(\/|$)/.test(path)) return 'must be /ifs or a folder below it'
  const names = path.split('/').slice(1)
  return names.some((name) => /^\.{0,2}$/.test(name)) ? 'must name each folder, without . and ..' : undefined
}

/** A folder of a Dell PowerScale cluster, which is scanned through snapshots. */
export const PowerScaleDraft = z.object({
  /** A host, or a host and a port; without a port, the port is 8080. Also accepts an address that begins with https://. */
  host: text.overwrite(hostOfAddress).superRefine((address, { addIssue }) => {
    const message = addressFault(address)
    if (message) addIssue({ code: 'custom', message })
  }),
  dataintellName: nameText({ blank: betweenCharacters(1, 255), long: betweenCharacters(1, 255) }),
  path: filledPath(betweenCharacters(1, 255))
    .max(255, betweenCharacters(1, 255))
    .overwrite((path) => path.replace(/(.)\/+$/, '$1'))
    .superRefine((path, { addIssue }) => {
      const message = folderFault(path)
      if (message) addIssue({ code: 'custom', message })
    })
    .default('/ifs'),
  scanType: FileStorageDraft.shape.scanType,
  dellPowerScaleCredentials: z.object({ id: z.int() }, "can't be empty"),
  storagePrice: PriceBookOfStorage,
  serverId: z.int().min(1, "can't be empty").default(1),
  volumeIgnoreRules: FileStorageDraft.shape.volumeIgnoreRules,
  sizeBasis: FileStorageDraft.shape.sizeBasis,
  pace: PaceOfRequests,
  /** Days after which the snapshot of a scan expires on the cluster. Without days for full scans every scan is a full one. */
  fullScanSnapshotExpiresDays: days(0),
  deltaScanSnapshotExpiresDays: days(1),
  certificateFingerprint: CertificateFingerprint,
})

export type PowerScaleDraft = z.infer<typeof PowerScaleDraft>

/** `volumeSettingId` is the storage as every other call knows it. */
export const PowerScale = PowerScaleDraft.extend({
  id: z.int(),
  volumeSettingId: z.int(),
  storagePrice: PriceBookOfStorage.nullable(),
  certificateFingerprint: z.string(),
})
export type PowerScale = z.infer<typeof PowerScale>

const ofStorages = crud('/v1/powerScales', {
  entity: PowerScale,
  draft: PowerScaleDraft,
  one: 'Dell PowerScale storage',
  many: 'Dell PowerScale storages',
  needs: 'settings.edit',
  failures: { list: 'Unable to fetch all Dell PowerScale storages' },
})

export const powerScales = {
  ...ofStorages,
  one: endpoint({
    method: 'GET',
    path: '/v1/powerScales/:id',
    needs: 'settings.edit',
    failure: 'Unable to get Dell PowerScale storage',
    params: Id,
    answer: PowerScale,
  }),
}

/** Folder of a cluster that is not saved yet. */
export const PowerScaleOfSource = PowerScaleDraft.pick({
  host: true,
  path: true,
  dellPowerScaleCredentials: true,
  serverId: true,
  certificateFingerprint: true,
})
export type PowerScaleOfSource = z.infer<typeof PowerScaleOfSource>

/** Has the agent of a storage sign in at its cluster and read its folder. Nothing is changed. */
export const powerScaleCheck = endpoint({
  method: 'POST',
  path: '/v1/powerScales/check',
  needs: 'settings.edit',
  failure: 'Unable to test the connection',
  body: PowerScaleOfSource,
  answer: ConnectionCheck,
})

/** A folder of a cluster with the password to sign in, which is only sent to the agent that scans it. */
export const PowerScaleOrder = z.object({
  kind: z.literal('powerScale'),
  /** A host, or a host and a port; without a port, the port is 8080. */
  host: z.string(),
  /** From `/ifs` on. */
  path: z.string(),
  username: z.string(),
  password: z.string(),
  /** See `CertificateFingerprint`. */
  fingerprint: z.string().optional(),
  fullSnapshotDays: z.int().min(0),
  deltaSnapshotDays: z.int().min(1),
  /** Requests at once. */
  threads: z.int().min(1),
  /** Reads only what changed since the last scan, if that is possible. */
  isDelta: z.boolean(),
})
export type PowerScaleOrder = z.infer<typeof PowerScaleOrder>
