import { type PowerScale, powerScaleCheck, PowerScaleDraft } from '#events/sources/powerScales.ts'
import { call } from '#client/app/call.ts'
import { typedNumber } from '#client/app/form.ts'
import type { Connection } from '#client/parts/settings-table/connectionCheck.ts'
import type { TableForm } from '#client/parts/settings-table/form.ts'
import { paceOfClusters, type PaceFields } from '../pace/paceForm.ts'
import {
  agentInput,
  credentialsInput,
  ignoredInput,
  newSource,
  priceBookInput,
  selectionErrors,
  sizeBasisInput,
  sourceDraft,
  type SourceFields,
  sourceInputFor,
  sourceLabels,
  sourceOf,
} from '../sourceInputs.tsx'
import { usePowerScaleCredentials } from './powerScaleCredentials.ts'

type SameFields = 'host' | 'dataintellName' | 'path' | 'scanType' | 'certificateFingerprint' | 'sizeBasis'
type PowerScaleFields = SourceFields &
  PaceFields &
  Pick<PowerScaleDraft, SameFields> & { ignored: string[]; fullDays: number | string; deltaDays: number | string }

/** Folder of a cluster. */
export const powerScaleForm: TableForm<PowerScale, PowerScaleFields, PowerScaleDraft> = {
  opens: {
    at: 'dialog',
    size: 'M',
    title: (edited) => (edited === 'new' ? 'Add Dell PowerScale Storage' : `Edit ${edited.dataintellName}`),
    saves: (edited) => (edited === 'new' ? 'Add storage' : 'Save storage'),
  },
  checksOnBlur: true,
  inputs: [
    {
      name: 'host',
      label: 'Host',
      description: 'Add a port if the API does not use 8080',
      placeholder: 'isilon.example.com',
    },
    { name: 'dataintellName', label: 'Name' },
    { name: 'path', label: 'Path', placeholder: '/ifs/data' },
    credentialsInput(usePowerScaleCredentials),
    {
      name: 'certificateFingerprint',
      label: 'Certificate fingerprint',
      description: "SHA-256 of the cluster's certificate. Leave empty if the agent's machine trusts its authority.",
    },
    agentInput,
    priceBookInput,
    sizeBasisInput,
    ignoredInput(({ volumeSettingId }: PowerScale) => volumeSettingId),
    {
      name: 'fullDays',
      label: 'Full scan snapshot expiration (days)',
      description: '0 takes no snapshot for delta scans, so every scan is a full scan',
      kind: 'number',
    },
    { name: 'deltaDays', label: 'Delta scan snapshot expiration (days)', kind: 'number' },
  ],
  folded: paceOfClusters.folded,
  schema: PowerScaleDraft,
  fields: {
    ...newSource,
    host: '',
    dataintellName: '',
    path: '/ifs',
    scanType: 'VOLUME_MULTITHREAD',
    certificateFingerprint: '',
    sizeBasis: 'onDisk',
    ignored: [],
    fullDays: 7,
    deltaDays: 3,
    ...paceOfClusters.fields,
  },
  fromRow: ({ host, dataintellName, path, scanType, certificateFingerprint, sizeBasis, ...storage }) => ({
    ...sourceOf(storage, storage.dellPowerScaleCredentials),
    host,
    dataintellName,
    path,
    scanType,
    certificateFingerprint,
    sizeBasis,
    ignored: storage.volumeIgnoreRules.map((rule) => rule.path),
    fullDays: storage.fullScanSnapshotExpiresDays,
    deltaDays: storage.deltaScanSnapshotExpiresDays,
    ...paceOfClusters.fromRow(storage.pace),
  }),
  toDraft: ({ host, dataintellName, path, scanType, certificateFingerprint, sizeBasis, ...fields }) => ({
    ...sourceDraft(fields),
    host,
    dataintellName,
    path,
    scanType,
    certificateFingerprint,
    sizeBasis,
    dellPowerScaleCredentials: { id: Number(fields.credentials) },
    volumeIgnoreRules: fields.ignored.map((rule) => ({ path: rule })),
    fullScanSnapshotExpiresDays: typedNumber(fields.fullDays),
    deltaScanSnapshotExpiresDays: typedNumber(fields.deltaDays),
    pace: paceOfClusters.toDraft(fields),
  }),
  inputFor: {
    ...sourceInputFor,
    dellPowerScaleCredentials: 'credentials',
    volumeIgnoreRules: 'ignored',
    fullScanSnapshotExpiresDays: 'fullDays',
    deltaScanSnapshotExpiresDays: 'deltaDays',
    ...paceOfClusters.inputFor,
  },
  labels: {
    ...sourceLabels,
    dataintellName: 'Name',
    'dellPowerScaleCredentials.id': 'Credentials',
    fullScanSnapshotExpiresDays: 'Days',
    deltaScanSnapshotExpiresDays: 'Days',
    ...paceOfClusters.labels,
  },
  check: (fields) => ({ ...selectionErrors(fields), ...paceOfClusters.check(fields) }),
  saved: ({ dataintellName }, edited) => `${dataintellName.trim()} was ${edited === 'new' ? 'added' : 'updated'}`,
}

/** The part of a storage that its agent tries. */
function checkedPart(fields: PowerScaleFields) {
  const { host, path, dellPowerScaleCredentials, serverId, certificateFingerprint } = powerScaleForm.toDraft(
    fields,
    'new',
  )
  return { host, path, dellPowerScaleCredentials, serverId, certificateFingerprint }
}

/** Has the agent of a storage sign in at its cluster and read its folder. */
export const clusterConnection: Connection<PowerScaleFields, PowerScale> = {
  keyOf: checkedPart,
  async check(fields) {
    const { reason, field } = await call(powerScaleCheck, { body: checkedPart(fields) })
    return reason === null ? {} : { [field ?? 'host']: reason }
  },
}
