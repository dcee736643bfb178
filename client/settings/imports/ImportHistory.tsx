import { Button, FileButton, Select } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { startImport } from '#events/imports/imports.ts'
import { upload } from '#client/app/call.ts'
import { useLinks } from '#client/app/links.ts'
import { useStorageStates } from '#client/app/storageStates.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { counted } from '#client/ui/text/count.ts'
import { type ExportFile, importQuery, openExport } from './exportFile.ts'
import { FileInputs } from './FileInputs.tsx'
import { ImportList } from './ImportList.tsx'

type ImportHistoryProps = { opened: boolean; volumeId: number | undefined; onClose: () => void }

/** Imports exports of other tools as snapshots of past days. */
export function ImportHistory({ opened, volumeId, onClose }: ImportHistoryProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Import history" size="L" holds>
      {opened && <Content volumeId={volumeId} />}
    </Dialog>
  )
}

function Content({ volumeId }: Pick<ImportHistoryProps, 'volumeId'>) {
  const links = useLinks()
  const storages = useStorageStates().data ?? []
  const [chosen, choose] = useState(volumeId)
  const storage = chosen ?? (storages.length === 1 ? storages[0]?.volumeId : undefined)
  return (
    <div className="stack gap-12">
      <p className="muted">
        Exports of other tools become the snapshots of past days.{' '}
        <Link href={links.help({ page: 'import-history' })}>Formats</Link>
      </p>
      <Select
        label="Storage"
        placeholder="Choose a storage"
        data={storages.map((state) => ({ value: String(state.volumeId), label: volumeName(state) }))}
        value={storage === undefined ? null : String(storage)}
        allowDeselect={false}
        onChange={(value) => choose(Number(value))}
      />
      {storage !== undefined && (
        <>
          <Upload storageId={storage} />
          <ImportList storageId={storage} />
        </>
      )}
    </div>
  )
}

function Upload({ storageId }: { storageId: number }) {
  const [files, setFiles] = useState<ExportFile[]>([])
  const [opening, add] = useBusy(async (added: File[]) => {
    const opened = await Promise.all(added.map(openExport))
    setFiles((before) => [...before, ...opened])
  })
  const without = (key: number) => setFiles((before) => before.filter((file) => file.key !== key))
  const change = (key: number, changes: Partial<ExportFile>) =>
    setFiles((before) => before.map((file) => (file.key === key ? { ...file, ...changes } : file)))
  const [busy, read] = useBusy(async () => {
    for (const file of files) {
      await upload(startImport, { query: importQuery(file, storageId) }, file.file)
      without(file.key)
    }
  })
  const isComplete = files.every(({ format, date }) => format !== null && date !== null)
  return (
    <>
      {files.map((file) => (
        <FileInputs
          key={file.key}
          file={file}
          onChange={(changes) => change(file.key, changes)}
          onRemove={() => without(file.key)}
        />
      ))}
      <div className="row gap-8 top-24">
        <FileButton multiple onChange={add}>
          {(props) => (
            <Button variant="default" loading={opening} {...props}>
              Choose files
            </Button>
          )}
        </FileButton>
        {files.length > 0 && (
          <Button disabled={!isComplete} loading={busy} onClick={() => read()}>
            Read {counted(files.length, 'file')}
          </Button>
        )}
      </div>
    </>
  )
}
