import { Button, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCornerLeftUp, IconFolder, IconFolderOpen } from '@tabler/icons-react'
import { useState } from 'react'
import type { FolderCheck } from '#events/sources/folderCheck.ts'
import { withButtons } from '#client/ui/form/withButtons.tsx'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import { countText } from '#client/ui/text/count.ts'
import { parentOf } from '#client/ui/text/path.ts'
import type { InputForm } from '#client/parts/settings-table/form.ts'
import { type FolderFields, folderOf, isShare, objectionsTo, suggestedRules, useFolderCheck } from './folderChecks.ts'
import classes from './FolderInput.module.css'

type FolderInputProps = {
  form: InputForm<FolderFields & { ignored: string[] }>
  busy: boolean
  volumeId?: number | undefined
  takesFocus?: boolean
}

/**
 * The folder to scan: typed, or selected from the folders that the agent sees. Problems show below it; those of a share
 * only once its folders are requested, since the request mounts it.
 */
export function FolderInput({ form, busy, volumeId, takesFocus = false }: FolderInputProps) {
  const [isOpen, open] = useState(false)
  const { values } = form
  const ofShare = isShare(values.mountType)
  const { path } = values
  const check = useFolderCheck(isOpen || !ofShare ? folderOf(values, volumeId) : undefined)
  const known = check.isCurrent ? check.data : undefined
  const rules = known ? suggestedRules(known, values.ignored) : []
  // The error of the field has the same text.
  const shown = known && form.errors['path'] === undefined ? objectionsTo(known, values.ignored) : []
  const browse = () => {
    if (!isOpen && path === '') form.setFieldValue('path', '/')
    open(!isOpen)
  }
  return (
    <div className="stack gap-8">
      <TextInput
        label="Path"
        description={
          ofShare ? 'The folder of the share that is scanned; / is all of it' : "Path on the agent's machine"
        }
        placeholder="/mnt/projects"
        disabled={busy}
        data-autofocus={takesFocus || undefined}
        inputContainer={withButtons(
          <Button
            variant="default"
            leftSection={<IconFolderOpen size={16} stroke={1.5} aria-hidden />}
            aria-expanded={isOpen}
            disabled={busy}
            onClick={browse}
          >
            Browse
          </Button>,
        )}
        {...form.getInputProps('path')}
      />
      {check.error && !check.loading && <InlineFailure error={check.error} retry={check.retry} />}
      <ul className={classes.objections} aria-live="polite" aria-label="Problems with this folder">
        {shown.map(({ text, mayBeMeant }) => (
          <li className={mayBeMeant ? 'row break gap-8' : 'row break gap-8 critical'} key={text}>
            <IconAlertTriangle size={14} stroke={1.5} aria-hidden />
            {text}
          </li>
        ))}
      </ul>
      {rules.length > 0 && (
        <Button
          variant="default"
          size="compact-sm"
          disabled={busy}
          onClick={() => form.setFieldValue('ignored', [...values.ignored, ...rules])}
        >
          Ignore snapshots
        </Button>
      )}
      {isOpen && <FoldersNear fields={values} check={known} onGo={(path) => form.setFieldValue('path', path)} />}
    </div>
  )
}

type FoldersNearProps = {
  fields: FolderFields
  check: FolderCheck | undefined
  onGo: (path: string) => void
}

/** The folders in the entered folder, or in the nearest one above that can be read. None of a share with a problem. */
function FoldersNear({ fields, check, onGo }: FoldersNearProps) {
  const path = fields.path.trim()
  if (!check?.reason) return <Folders path={path} check={check} onGo={onGo} />
  if (isShare(fields.mountType) || folderAbove(path) === path) return null
  return <FoldersAbove fields={{ ...fields, path: folderAbove(path) }} onGo={onGo} />
}

function FoldersAbove({ fields, onGo }: Omit<FoldersNearProps, 'check'>) {
  const { data, isCurrent } = useFolderCheck(folderOf(fields))
  return <FoldersNear fields={fields} check={isCurrent ? data : undefined} onGo={onGo} />
}

const folderAbove = (path: string): string => parentOf(path.replace(/\/+$/, ''))

type FoldersProps = { path: string; check: FolderCheck | undefined; onGo: (path: string) => void }

/** The folders in a folder, and a link to its parent. */
function Folders({ path, check, onGo }: FoldersProps) {
  const plain = path.replace(/\/+$/, '')
  const above = folderAbove(path)
  return (
    <div className={classes.folders}>
      {plain !== '' && (
        <button type="button" className={classes.row} onClick={() => onGo(above)}>
          <IconCornerLeftUp className="muted" size={16} stroke={1.5} aria-hidden />
          {above}
        </button>
      )}
      {check ? (
        <ul aria-label={`Folders in ${path}`}>
          {check.folders.map((name) => (
            <li key={name}>
              <button type="button" className={classes.row} onClick={() => onGo(`${plain}/${name}`)}>
                <IconFolder className="muted" size={16} stroke={1.5} aria-hidden />
                <bdi className="ellipsis">
                  <MarkedText text={name} />
                </bdi>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton rows={4} isInset />
      )}
      {check?.folders.length === 0 && <p className="muted small padded-8">No subfolders</p>}
      {check?.hasMore && (
        <p className="muted small padded-8">
          The first {countText(check.folders.length)} folders. Type the path of another one.
        </p>
      )}
    </div>
  )
}
