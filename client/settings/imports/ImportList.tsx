import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { importFormats } from '#events/imports/formats.ts'
import { commitImport, deleteImport, type ImportRecord, listImports } from '#events/imports/imports.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { ImportSummary } from './ImportSummary.tsx'
import classes from './Imports.module.css'

const pollMs = 1_000

/** Imports of a storage, with the actions that each state allows. */
export function ImportList({ storageId }: { storageId: number }) {
  const imports = useRemote(listImports, { query: { storageId } }, 'imports')
  const isBusy = imports.data?.some(({ state }) => state === 'READING' || state === 'COMMITTING') ?? false
  const retry = useEffectEvent(imports.retry)
  useEffect(() => {
    if (!isBusy) return undefined
    const timer = setInterval(() => retry(), pollMs)
    return () => clearInterval(timer)
  }, [isBusy])
  return (
    <RemoteContent remote={imports}>
      {(records) =>
        records.length > 0 && (
          <section aria-label="Imports">
            {records.map((record) => (
              <ImportItem key={record.id} record={record} retry={imports.retry} />
            ))}
          </section>
        )
      }
    </RemoteContent>
  )
}

const stateWords: Record<ImportRecord['state'], string> = {
  READING: 'Being read',
  READY: 'Ready to commit',
  COMMITTING: 'Being committed',
  COMMITTED: 'Committed',
  FAILED: 'Failed',
}

function ImportItem({ record, retry }: { record: ImportRecord; retry: () => void }) {
  const { id, date, format, fileName, state, readBytes, counts, reason } = record
  return (
    <article className={classes.import} aria-label={`Import of ${date}`} data-import={id}>
      <div className="row wrap gap-8">
        <strong>{date}</strong>
        <span>{importFormats[format]}</span>
        <span className="muted">{fileName}</span>
        <span>{stateWords[state]}</span>
        {state === 'READING' && (
          <span className="muted">
            <Size bytes={readBytes} /> read
          </span>
        )}
        <ImportActions record={record} retry={retry} />
      </div>
      {reason !== null && <p role="alert">{reason}</p>}
      {counts && (
        <p>
          {counted(counts.files, 'file')}, {counted(counts.folders, 'folder')}, <Size bytes={counts.bytes} />
        </p>
      )}
      {state === 'READY' && <ImportSummary record={record} />}
    </article>
  )
}

function ImportActions({
  record: { id, date, state, replaces, storageName },
  retry,
}: Parameters<typeof ImportItem>[0]) {
  const [asking, ask] = useState<'replace' | 'undo'>()
  const [busy, act] = useBusy(async (action: 'commit' | 'replace' | 'remove') => {
    ask(undefined)
    await (
      action === 'remove'
        ? call(deleteImport, { params: { id } })
        : call(commitImport, { params: { id }, query: { replace: action === 'replace' ? 'true' : 'false' } })
    ).finally(retry)
  })
  const commit = () => (replaces ? ask('replace') : act('commit'))
  const remove = () => (state === 'COMMITTED' ? ask('undo') : act('remove'))
  if (state === 'COMMITTING') return null
  return (
    <>
      {state === 'READY' && (
        <Button size="compact-sm" loading={busy} onClick={commit} aria-label={`Commit import of ${date}`}>
          Commit
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        loading={busy}
        onClick={remove}
        aria-label={`${state === 'COMMITTED' ? 'Undo' : 'Remove'} import of ${date}`}
      >
        {state === 'COMMITTED' ? 'Undo' : 'Remove'}
      </Button>
      <Confirm
        opened={asking === 'replace'}
        title="Replace snapshot?"
        verb="Replace snapshot"
        busy={busy}
        onCancel={() => ask(undefined)}
        onConfirm={() => act('replace')}
      >
        {storageName} has a snapshot of {date}. The import replaces it.
      </Confirm>
      <Confirm
        opened={asking === 'undo'}
        title="Undo import?"
        verb="Undo import"
        busy={busy}
        onCancel={() => ask(undefined)}
        onConfirm={() => act('remove')}
      >
        The snapshot of {date} is removed from {storageName}.
      </Confirm>
    </>
  )
}
