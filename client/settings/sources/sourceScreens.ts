import { type Icon, IconArchive, IconCloud, IconServer2 } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { SourceKind } from '#events/sources/kinds.ts'
import { AddArchiware } from './archiwares/AddArchiware.tsx'
import { ArchiwareSection } from './archiwares/ArchiwareSection.tsx'
import { AddBucket } from './buckets/AddBucket.tsx'
import { BucketSection } from './buckets/BucketSection.tsx'
import { FileStorageSection } from './file-storages/FileStorageSection.tsx'
import { AddFileStorage } from './file-storages/AddFileStorage.tsx'
import { PowerScaleSection } from './power-scales/PowerScaleSection.tsx'

/** The card that offers to add a kind of source, and the wizard that it opens. */
type AddCard = { title: string; description: string; icon: Icon; Wizard: ComponentType<{ onClose: () => void }> }

/**
 * A kind of source in the settings. A kind without a card is added in its section. Integrations come after the sections of price books
 * and agents.
 */
type SourceScreens = {
  card?: AddCard
  section: {
    id: string
    title: string
    isBeta?: true
    isIntegration?: true
    Content: ComponentType<{ onAdd: () => void }>
  }
}

/** The settings of each kind; undefined for a kind that another kind's settings include. */
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
  // The wizard of file storages lets users choose the mount, and their section lists shares too.
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
  archiware: {
    card: {
      title: 'Archiware P5 Index',
      description: 'Archive index of an Archiware P5 server',
      icon: IconArchive,
      Wizard: AddArchiware,
    },
    section: { id: 'archiware-p5', title: 'Archiware P5 Integration', isIntegration: true, Content: ArchiwareSection },
  },
}
