import { configurations } from '#events/configurations.ts'
import { useRemote } from '#client/app/remote.ts'
import { valueOf } from '../configurationValue.ts'
import { SectionList } from '../SectionList.tsx'
import type { TileKey } from './AddStorage.tsx'
import { BucketSection } from './buckets/BucketSection.tsx'
import { FileStorageSection } from './file-storages/FileStorageSection.tsx'
import { PowerScaleSection } from './power-scales/PowerScaleSection.tsx'

/** The settings of the storages of each system, and the credentials for them. */
export function Systems({ onAdd }: { onAdd: (tile: TileKey) => void }) {
  const { data: entries } = useRemote(configurations.list, {}, 'configurations')
  const isBetaActive = entries !== undefined && valueOf(entries, 'isBetaActive') === 'true'
  return (
    <SectionList
      label="Systems"
      sections={[
        { id: 'file-storage', title: 'File Storage', content: <FileStorageSection onAdd={() => onAdd('folder')} /> },
        { id: 'object-storage', title: 'Object Storage', content: <BucketSection onAdd={() => onAdd('s3')} /> },
        ...(isBetaActive
          ? [{ id: 'dell-powerscale', title: 'Dell PowerScale Storage (Beta)', content: <PowerScaleSection /> }]
          : []),
      ]}
    />
  )
}
