import { IconX } from '@tabler/icons-react'
import type { ChosenFolder } from './ManualFolder.tsx'

type RemoveFolderProps = { folder: ChosenFolder; onRemove: (folder: ChosenFolder) => void; disabled: boolean }

/** Button that takes a folder out of a list of chosen ones. */
export const RemoveFolder = ({ folder, onRemove, disabled }: RemoveFolderProps) => (
  <button
    type="button"
    className="icon-button muted hover-text"
    aria-label={`Remove ${folder.path} of ${folder.volumeName}`}
    disabled={disabled}
    onClick={() => onRemove(folder)}
  >
    <IconX size={14} stroke={1.5} aria-hidden />
  </button>
)
