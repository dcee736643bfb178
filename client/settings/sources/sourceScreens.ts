import { type Icon, IconCloud, IconServer2 } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { SourceKind } from '#events/sources/kinds.ts'
import { AddBucket } from './buckets/AddBucket.tsx'
import { BucketSection } from './buckets/BucketSection.tsx'
import { FileStorageSection } from './file-storages/FileStorageSection.tsx'
import { AddFileStorage } from './file-storages/wizard/AddFileStorage.tsx'
import { PowerScaleSection } from './power-scales/PowerScaleSection.tsx'

/** The card that offers to add a kind of source, and the wizard that it opens. */
type AddCard = { title: string; description: string; icon: Icon; Wizard: ComponentType<{ onClose: () => void }> }

/** A kind of source in the settings. A kind without a card is added in its section. */
type SourceScreens = {
  card?: AddCard
  section: { id: string; title: string; isBeta?: true; Content: ComponentType<{ onAdd: () => void }> }
}

/** What the settings show of each kind. Where another kind shows it too, nothing is shown. */
export const sourceScreens: Record<SourceKind, SourceScreens | undefined> = {
  fileStorage: {
    card: {
      title: 'File Storage',
      description: 'Scanned by an agent',
      icon: IconServer2,
      Wizard: AddFileStorage,
    },
    section: { id: 'file-storage', title: 'File Storage', Content: FileStorageSection },
  },
  // The wizard of file storages asks how the folder is reached, and their section lists shares, too.
  networkShare: undefined,
  bucket: {
    card: {
      title: 'Object Storage',
      description: 'Cloud provider service',
      icon: IconCloud,
      Wizard: AddBucket,
    },
    section: { id: 'object-storage', title: 'Object Storage', Content: BucketSection },
  },
  powerScale: {
    section: {
      id: 'dell-powerscale',
      title: 'Dell PowerScale Storage (Beta)',
      isBeta: true,
      Content: PowerScaleSection,
    },
  },
  archiware: undefined,
}
