import { type FormEvent, useState } from 'react'
import { transferFolders } from '#events/actions/transfers.ts'
import { useRemote } from '#client/app/remote.ts'
import { FolderBrowser } from '#client/parts/folder-picker/FolderBrowser.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'

type FolderDialogProps = {
  storageId: string
  /** Folder to open first. */
  path: string
  onSelect: (path: string) => void
  onClose: () => void
}

/** Maximum number of folders that are listed. */
const maxFolders = 500

/** Selects a folder of a storage of the transfer service. */
export function FolderDialog({ storageId, path: opened, onSelect, onClose }: FolderDialogProps) {
  const [path, go] = useState(opened)
  const { data, ...state } = useRemote(transferFolders, { params: { storageId }, query: { path } })
  const folders = { ...state, data: data && { elements: data.slice(0, maxFolders), total: data.length } }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSelect(path)
  }
  return (
    <FormDialog opened title="Select target folder" size="M" onClose={onClose}>
      <DialogForm busy={false} saves="Select this folder" onSubmit={submit} onClose={onClose}>
        <FolderBrowser path={path} onGo={go} folders={folders} verb="Choose" onChoose={onSelect} />
      </DialogForm>
    </FormDialog>
  )
}
