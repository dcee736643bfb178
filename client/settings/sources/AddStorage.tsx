import {
  type Icon,
  IconArchive,
  IconBrandAws,
  IconBrandAzure,
  IconBrandDropbox,
  IconBrandWindows,
  IconFolder,
  IconServerBolt,
  IconShare2,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { configurations } from '#events/configurations.ts'
import { lockedMessages } from '#events/contract/needs.ts'
import { useRemote } from '#client/app/remote.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { ChoiceCard } from '#client/ui/form/ChoiceCard.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { valueOf } from '../configurationValue.ts'
import { AddArchiware } from './archiwares/AddArchiware.tsx'
import { AddBucket } from './buckets/AddBucket.tsx'
import { useDropboxLink } from './buckets/GetCode.tsx'
import { AddFileStorage } from './file-storages/AddFileStorage.tsx'
import { AddPowerScale } from './power-scales/PowerScaleSection.tsx'
import classes from '../storages/Storages.module.css'

/** A system, what it needs, and the wizard that adds a storage of it. */
type Tile = { title: string; needs: string; icon: Icon; Wizard: ComponentType<{ onClose: () => void }> }

const tiles = {
  folder: {
    title: 'Folder',
    needs: 'A disk or a mounted file system. Needs a path on the machine of an agent.',
    icon: IconFolder,
    Wizard: ({ onClose }) => <AddFileStorage mountType="Local" onClose={onClose} />,
  },
  smb: {
    title: 'SMB share',
    needs: 'A Windows server, Samba or a NAS. Needs the host, the share and a user.',
    icon: IconBrandWindows,
    Wizard: ({ onClose }) => <AddFileStorage mountType="SMB" onClose={onClose} />,
  },
  nfs: {
    title: 'NFS export',
    needs: 'Needs the host and the path of the export.',
    icon: IconShare2,
    Wizard: ({ onClose }) => <AddFileStorage mountType="NFS" onClose={onClose} />,
  },
  s3: {
    title: 'Amazon S3 or compatible',
    needs: 'Also Wasabi, Backblaze B2, Oracle and others. Needs access keys and a bucket.',
    icon: IconBrandAws,
    Wizard: ({ onClose }) => <AddBucket type="S3" onClose={onClose} />,
  },
  azure: {
    title: 'Azure Blob Storage',
    needs: 'Needs the name and key of the account, and a container.',
    icon: IconBrandAzure,
    Wizard: ({ onClose }) => <AddBucket type="AZURE" onClose={onClose} />,
  },
  dropbox: {
    title: 'Dropbox',
    needs: 'Needs a code that Dropbox shows when you allow access.',
    icon: IconBrandDropbox,
    Wizard: ({ onClose }) => <AddBucket type="DROPBOX" onClose={onClose} />,
  },
  powerScale: {
    title: 'Dell PowerScale (Beta)',
    needs: 'Needs the host of the cluster, a user of its API and a path.',
    icon: IconServerBolt,
    Wizard: AddPowerScale,
  },
  archiware: {
    title: 'Archiware P5 Index',
    needs: 'Archive index of a P5 server. Needs its address and a user.',
    icon: IconArchive,
    Wizard: AddArchiware,
  },
} satisfies Record<string, Tile>

export type TileKey = keyof typeof tiles
const tileKeys = Object.keys(tiles) as TileKey[]

type AddStorageProps = {
  title: string
  /** 'new' shows the tiles, a tile its wizard. */
  adding: TileKey | 'new' | undefined
  onChange: (adding: TileKey | undefined) => void
}

/** Dialog with a tile for each system, then the wizard of the chosen one. */
export function AddStorage({ title, adding, onChange }: AddStorageProps) {
  const Wizard = adding !== undefined && adding !== 'new' && tiles[adding].Wizard
  const close = () => onChange(undefined)
  return (
    <>
      <Dialog opened={adding === 'new'} onClose={close} title={title} size="L">
        <Tiles onSelect={onChange} />
      </Dialog>
      {Wizard && <Wizard onClose={close} />}
    </>
  )
}

/** Tiles of all systems. Those that can't be added say why. */
export function Tiles({ onSelect }: { onSelect: (tile: TileKey) => void }) {
  const whyNot = useObstacles()
  return (
    <div className={classes.tiles}>
      {tileKeys.map((key, place) => {
        const { title, needs, icon } = tiles[key]
        const reason = whyNot[key]
        return (
          <ChoiceCard
            key={key}
            icon={icon}
            title={title}
            description={reason ?? needs}
            isFirst={place === 0}
            disabled={reason !== undefined}
            onSelect={() => onSelect(key)}
          />
        )
      })}
    </div>
  )
}

/** Reasons why storages of a system can't be added here. */
function useObstacles(): Partial<Record<TileKey, string>> {
  const isLicensed = useLicence()
  const { data: entries } = useRemote(configurations.list, {}, 'configurations')
  const hasDropbox = useDropboxLink() !== undefined
  const isBetaActive = entries === undefined || valueOf(entries, 'isBetaActive') === 'true'
  return {
    ...(!hasDropbox && { dropbox: 'The server needs a Dropbox app key: set DROPBOX_APP_KEY and restart it.' }),
    ...(!isBetaActive && { powerScale: 'Turn on features marked Beta under Settings › System.' }),
    ...(!isLicensed('archiwareP5') && { archiware: lockedMessages.archiwareP5 }),
  }
}
