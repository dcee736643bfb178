import { builtInAgent } from '#events/agents.ts'
import { type PowerScale, PowerScaleDraft } from '#events/sources/powerScales.ts'
import { type Labels, checkedBy } from '#client/app/form.ts'

/** The fields of the form. Ids are text, and '' where nothing is selected. */
export type PowerScaleFields = {
  host: string
  name: string
  path: string
  agent: string
  credentials: string
  priceBook: string
  ignored: string[]
  fullDays: string | number
  deltaDays: string | number
  fingerprint: string
  scanType: PowerScale['scanType']
}

export const newPowerScale: PowerScaleFields = {
  host: '',
  name: '',
  path: '/ifs',
  agent: String(builtInAgent),
  credentials: '',
  priceBook: '',
  ignored: [],
  fullDays: 7,
  deltaDays: 3,
  fingerprint: '',
  scanType: 'VOLUME_MULTITHREAD',
}

export const fieldsOf = (storage: PowerScale): PowerScaleFields => ({
  host: storage.host,
  name: storage.dataintellName,
  path: storage.path,
  agent: String(storage.serverId),
  credentials: String(storage.dellPowerScaleCredentials.id),
  priceBook: String(storage.storagePrice?.id ?? ''),
  ignored: storage.volumeIgnoreRules.map(({ path }) => path),
  fullDays: storage.fullScanSnapshotExpiresDays,
  deltaDays: storage.deltaScanSnapshotExpiresDays,
  fingerprint: storage.certificateFingerprint,
  scanType: storage.scanType,
})

export const draftOf = (fields: PowerScaleFields) => ({
  host: fields.host,
  dataintellName: fields.name,
  path: fields.path,
  scanType: fields.scanType,
  dellPowerScaleCredentials: { id: Number(fields.credentials) },
  storagePrice: { id: Number(fields.priceBook) },
  serverId: Number(fields.agent),
  volumeIgnoreRules: fields.ignored.map((path) => ({ path })),
  fullScanSnapshotExpiresDays: fields.fullDays === '' ? Number.NaN : Number(fields.fullDays),
  deltaScanSnapshotExpiresDays: fields.deltaDays === '' ? Number.NaN : Number(fields.deltaDays),
  certificateFingerprint: fields.fingerprint,
})

const fieldsOfCall: Record<string, keyof PowerScaleFields> = {
  dataintellName: 'name',
  serverId: 'agent',
  dellPowerScaleCredentials: 'credentials',
  storagePrice: 'priceBook',
  volumeIgnoreRules: 'ignored',
  fullScanSnapshotExpiresDays: 'fullDays',
  deltaScanSnapshotExpiresDays: 'deltaDays',
  certificateFingerprint: 'fingerprint',
}

export const labels: Labels = {
  dataintellName: 'Name',
  serverId: 'Agent',
  'dellPowerScaleCredentials.id': 'Credentials',
  'storagePrice.id': 'Price Book',
  fullScanSnapshotExpiresDays: 'Days',
  deltaScanSnapshotExpiresDays: 'Days',
  certificateFingerprint: 'Certificate fingerprint',
}

/** The field of the form that shows the message for a field of the call. */
export const shownAt = (field: string): string => {
  const [first = ''] = field.split('.')
  return fieldsOfCall[first] ?? first
}

/** Error messages by field. */
export function powerScaleErrors(fields: PowerScaleFields): Record<string, string> {
  const errors = Object.entries(checkedBy(PowerScaleDraft, labels)(draftOf(fields)))
  return {
    ...Object.fromEntries(errors.map(([field, message]) => [shownAt(field), message])),
    ...(fields.agent === '' && { agent: "Agent can't be empty" }),
    ...(fields.credentials === '' && { credentials: "Credentials can't be empty" }),
    ...(fields.priceBook === '' && { priceBook: "Price Book can't be empty" }),
  }
}
