import { type PowerScale, powerScaleCheck, PowerScaleDraft } from '#events/sources/powerScales.ts'
import { call } from '#client/app/call.ts'
import { typedNumber } from '#client/app/form.ts'
import type { Connection } from '#client/parts/settings-table/connectionCheck.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { paceOfClusters } from '../pace/paceForm.ts'
import {
  agentField,
  credentialsField,
  pathsOf,
  priceBookField,
  rulesField,
  selected,
  sizeBasisField,
} from '../sourceFields.tsx'
import { usePowerScaleCredentials } from './powerScaleCredentials.ts'

/** Folder of a cluster. */
export const powerScaleForm = describeForm<PowerScale, PowerScaleDraft>()({
  schema: PowerScaleDraft,
  checksOnBlur: true,
  fields: {
    host: {
      label: 'Host',
      description: 'Add a port if the API does not use 8080',
      placeholder: 'isilon.example.com',
      initial: '',
    },
    dataintellName: { label: 'Name', initial: '' },
    path: { label: 'Path', placeholder: '/ifs/data', initial: '/ifs' },
    credentials: {
      ...credentialsField(usePowerScaleCredentials),
      to: 'dellPowerScaleCredentials',
      read: ({ dellPowerScaleCredentials: { id } }) => String(id),
      write: (id) => ({ id: Number(id) }),
      check: selected('Credentials'),
    },
    certificateFingerprint: {
      label: 'Certificate fingerprint',
      description: "SHA-256 of the cluster's certificate. Leave empty if the agent's machine trusts its authority.",
      initial: '',
    },
    agent: agentField,
    priceBook: priceBookField,
    sizeBasis: sizeBasisField,
    ignored: {
      ...rulesField('ignored', ({ volumeSettingId }: PowerScale) => volumeSettingId),
      to: 'volumeIgnoreRules',
      read: ({ volumeIgnoreRules }) => pathsOf(volumeIgnoreRules),
    },
    fullDays: {
      label: 'Full scan snapshot expiration (days)',
      description: '0 takes no snapshot for delta scans, so every scan is a full scan',
      kind: 'number',
      initial: 7 as number | string,
      to: 'fullScanSnapshotExpiresDays',
      errorLabel: 'Days',
      read: ({ fullScanSnapshotExpiresDays }) => fullScanSnapshotExpiresDays,
      write: typedNumber,
    },
    deltaDays: {
      label: 'Delta scan snapshot expiration (days)',
      kind: 'number',
      initial: 3 as number | string,
      to: 'deltaScanSnapshotExpiresDays',
      errorLabel: 'Days',
      read: ({ deltaScanSnapshotExpiresDays }) => deltaScanSnapshotExpiresDays,
      write: typedNumber,
    },
    ...paceOfClusters.rows,
  },
  // Every scan of a cluster divides its work in the same way.
  draft: (_, edited) => ({ scanType: edited === 'new' ? 'VOLUME_MULTITHREAD' : edited.scanType }),
  saved: ({ dataintellName }, edited) => `${dataintellName.trim()} was ${edited === 'new' ? 'added' : 'updated'}`,
})

/** The part of a storage that its agent tries. */
function checkedPart(fields: typeof powerScaleForm.fields) {
  const draft = powerScaleForm.toDraft(fields, 'new')
  const { host, path, dellPowerScaleCredentials, serverId, certificateFingerprint } = draft
  return { host, path, dellPowerScaleCredentials, serverId, certificateFingerprint }
}

/** Has the agent of a storage sign in at its cluster and read its folder. */
export const clusterConnection: Connection<typeof powerScaleForm.fields, PowerScale> = {
  keyOf: checkedPart,
  async check(fields) {
    const { reason, field } = await call(powerScaleCheck, { body: checkedPart(fields) })
    return reason === null ? {} : { [field ?? 'host']: reason }
  },
}
