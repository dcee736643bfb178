import { type Icon, IconCloud, IconServer2 } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { SourceKind } from '#events/sources/kinds.ts'
import { AddBucket } from './buckets/AddBucket.tsx'
import { BucketSection } from './buckets/BucketSection.tsx'
import { FileStorageSection } from './file-storages/FileStorageSection.tsx'
import { AddFileStorage } from './file-storages/wizard/AddFileStorage.tsx'

/** A kind of source in the settings: the card that offers to add one, the wizard behind that, and the section that lists them. */
type SourceScreens = {
  title: string
  description: string
  icon: Icon
  Wizard: ComponentType<{ onClose: () => void }>
  section: { id: string; title: string; Content: ComponentType<{ onAdd: () => void }> }
}

/** What the settings show of each kind. Where there is nothing yet, or another kind shows it too, nothing is shown. */
export const sourceScreens: Record<SourceKind, SourceScreens | undefined> = {
  fileStorage: {
    title: 'File Storage',
    description: 'Scanned by an agent',
    icon: IconServer2,
    Wizard: AddFileStorage,
    section: { id: 'file-storage', title: 'File Storage', Content: FileStorageSection },
  },
  // The wizard of file storages asks how the folder is reached, and their section lists shares, too.
  networkShare: undefined,
  bucket: {
    title: 'Object Storage',
    description: 'Cloud provider service',
    icon: IconCloud,
    Wizard: AddBucket,
    section: { id: 'object-storage', title: 'Object Storage', Content: BucketSection },
  },
  powerScale: undefined,
  archiware: undefined,
}
