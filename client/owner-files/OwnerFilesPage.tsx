import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useRoute } from 'wouter'
import type { Answer } from '#events/contract/endpoint.ts'
import { type OwnerAnswer, type OwnerFile, ownerFiles, ownerFilesPath } from '#events/policies/ownerFiles.ts'
import { separatorOf } from '#events/sources/fullPath.ts'
import { CallError, call } from '#client/app/call.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Confirm } from '#client/ui/form/Confirm.tsx'
import { Segments } from '#client/ui/form/Segments.tsx'
import { Logo } from '#client/ui/Logo.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { counted, countText } from '#client/ui/text/count.ts'
import { dayText } from '#client/ui/text/moment.ts'
import { usePageTitle } from '#client/ui/text/pageTitle.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import classes from './OwnerFilesPage.module.css'

type Files = Answer<typeof ownerFiles.list>

/** Files per page. */
const pageSize = 100

const words = { keep: 'Keep', release: 'Release' } as const satisfies Record<OwnerAnswer, string>
const options = (['keep', 'release'] as const).map((value) => ({ value, label: words[value] }))

const promise =
  'Nothing is deleted by your answer today: released files are moved to quarantine by a later policy, and can be put back until it deletes them.'

/** The files that a policy asks their owner about, behind the link of an email. It needs no session, and shows nothing else. */
export function OwnerFilesPage() {
  const [, params] = useRoute(`${ownerFilesPath}:token`)
  const token = params?.token ?? ''
  const remote = useFiles(token)
  usePageTitle('Your files')
  const hasEnded = remote.error instanceof CallError && remote.error.status === 404
  return (
    <main className={classes.page}>
      <div className="row gap-12">
        <Logo size={32} />
        <h1 className={classes.title}>{hasEnded ? 'This link has ended' : 'Your files'}</h1>
      </div>
      {hasEnded ? (
        <p role="alert">
          The link has ended, or is incomplete: use the button of the email, or copy its whole link. Your answers until
          now count.
        </p>
      ) : (
        <RemoteContent remote={remote}>{(files) => <Asked files={files} {...remote} />}</RemoteContent>
      )}
    </main>
  )
}

type Give = (answer: OwnerAnswer, file?: OwnerFile) => Promise<void>
type AskedProps = { files: Files; page: number; goTo: (page: number) => void; answer: Give }

function Asked({ files, page, goTo, answer }: AskedProps) {
  const { owner, policy, until, bytes, kept, released, rows } = files
  const open = files.files - kept - released
  return (
    <>
      <p className="break">
        The policy <strong>{policy}</strong> found {counted(files.files, 'file')} (<Size bytes={bytes} />){' '}
        {owner && (
          <>
            of <strong>{owner}</strong>{' '}
          </>
        )}
        that were not used for a long time. Keep what has to stay, and release what you no longer need.
      </p>
      <p className="muted">
        {promise} You can change your answers until {dayText(until)}. If you don't answer, the administrators decide.
      </p>
      <div className="row wrap between gap-8-16">
        <output>
          {countText(kept)} kept, {countText(released)} released, {countText(open)} without an answer
        </output>
        <div className="flex gap-8">
          <AllButton answer="keep" {...{ files, give: answer }} />
          <AllButton answer="release" {...{ files, give: answer }} />
        </div>
      </div>
      <div className="panel clip">
        <DataTable
          label="Your files"
          columns={columnsFor(answer)}
          rows={rows}
          rowKey={({ position }) => position}
          empty={<p className="muted padded">There are no files here.</p>}
        />
      </div>
      {files.files > pageSize && (
        <Pagination
          nouns={['file', 'files']}
          total={files.files}
          size={pageSize}
          sizes={[pageSize]}
          isWhole
          isAlone
          page={page}
          onPage={goTo}
          onSize={() => {}}
        />
      )}
    </>
  )
}

const columnsFor = (give: Give): Column<OwnerFile>[] => [
  { key: 'path', title: 'File', grows: true, cell: ({ path }) => <NameAndFolder path={path} /> },
  { key: 'size', title: 'Size', align: 'right', cell: ({ size }) => <Size bytes={size} /> },
  { key: 'modified', title: 'Last change', wideOnly: true, cell: ({ modified }) => <Moment at={modified} /> },
  {
    key: 'answer',
    title: 'Your answer',
    cell: (file) => (
      <Segments
        label={`Answer for ${file.path}`}
        options={options}
        // Without an answer, none of them is chosen.
        chosen={file.answer as OwnerAnswer}
        onChoose={(answer) => void give(answer, file)}
      />
    ),
  },
]

/** In full, over several lines: owners decide by them, and telephones show no tooltips. */
function NameAndFolder({ path }: { path: string }) {
  const end = path.lastIndexOf(separatorOf(path)) + 1
  return (
    <div className={classes.file}>
      <MarkedText text={path.slice(end)} />
      <div className="muted small">
        <MarkedText text={path.slice(0, end)} />
      </div>
    </div>
  )
}

function AllButton({ answer, files: { files, until }, give }: { answer: OwnerAnswer; files: Files; give: Give }) {
  const [opened, setOpened] = useState(false)
  const [busy, confirm] = useBusy(async () => {
    await give(answer)
    setOpened(false)
  })
  const all = files === 1 ? 'this file' : `all ${counted(files, 'file')}`
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {words[answer]} all
      </Button>
      <Confirm
        opened={opened}
        title={`${words[answer]} ${all}?`}
        verb={`${words[answer]} ${all}`}
        busy={busy}
        isHarmless
        onConfirm={confirm}
        onCancel={() => setOpened(false)}
      >
        {answer === 'keep' ? 'Policies will leave these files alone.' : promise} This replaces the answers that you gave
        before. You can change it until {dayText(until)}.
      </Confirm>
    </>
  )
}

/** The files, page by page. There is no live connection here, so errors of the network are shown like others. */
function useFiles(token: string) {
  const [query, setQuery] = useState({ size: pageSize, after: 0 })
  const [{ data, error }, setState] = useState<{ data?: Files; error?: Error | undefined }>({})
  const readAgain = () => setQuery((same) => ({ ...same }))
  useEffect(() => {
    const abort = new AbortController()
    call(ownerFiles.list, { params: { token }, query }, abort.signal).then(
      (read) => setState({ data: read }),
      (failed: Error) => abort.signal.aborted || setState((before) => ({ ...before, error: failed })),
    )
    return () => abort.abort()
  }, [token, query])
  const retry = () => {
    setState((before) => ({ ...before, error: undefined }))
    readAgain()
  }
  const answer: Give = async (given, file) => {
    if (file) setState((before) => ({ ...before, ...(before.data && { data: withAnswer(before.data, file, given) }) }))
    const body = { answer: given, positions: file ? [file.position] : null }
    try {
      await call(ownerFiles.answer, { params: { token }, body })
      if (!file) readAgain()
    } catch (failed) {
      toastFailure(failed)
      readAgain()
    }
  }
  const goTo = (page: number) => setQuery({ size: pageSize, after: (page - 1) * pageSize })
  const page = query.after / pageSize + 1
  return { data, error, loading: data === undefined && error === undefined, retry, answer, page, goTo }
}

/** The page with the answer to one file, until it is read again. */
function withAnswer(files: Files, { position, answer: before }: OwnerFile, answer: OwnerAnswer): Files {
  const change = (of: OwnerAnswer) => Number(answer === of) - Number(before === of)
  return {
    ...files,
    kept: files.kept + change('keep'),
    released: files.released + change('release'),
    rows: files.rows.map((row) => (row.position === position ? { ...row, answer } : row)),
  }
}
