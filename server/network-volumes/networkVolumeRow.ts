import type { Selectable } from 'kysely'
import type { NetworkVolumeDraft } from '#events/network-volumes.ts'
import { VolumeSettingDraft } from '#events/volume-settings.ts'
import type { Tables } from '#server/platform/tables.ts'

/** What is mounted, as the table keeps it. NFS knows no credentials. */
export const shareOf = ({ type, host, shareName, options, networkVolumeCredential }: NetworkVolumeDraft) => ({
  type,
  host,
  shareName,
  options,
  credentialId: type === 'NFS' ? null : (networkVolumeCredential?.id ?? null),
})

/** What a network volume has in common with every other file storage. */
export const settingOf = ({ dataintellName, serverId, ...draft }: NetworkVolumeDraft): VolumeSettingDraft =>
  VolumeSettingDraft.parse({ ...draft, type: 'crawl.files', name: dataintellName, server: { id: serverId } })

type Share = Omit<Selectable<Tables['networkVolumes']>, 'id' | 'volumeId'>

export function draftOf(setting: VolumeSettingDraft, share: Share): NetworkVolumeDraft {
  const { name, server, type: _, ...common } = setting
  const { credentialId, ...mounted } = share
  const networkVolumeCredential = credentialId === null ? null : { id: credentialId }
  return { ...common, ...mounted, dataintellName: name, serverId: server.id, networkVolumeCredential }
}
