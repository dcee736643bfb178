import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type Project, type ProjectItem, projects } from '#events/projects/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { PathInput } from '#client/parts/folder-picker/PathInput.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { typedPath } from '#client/ui/text/path.ts'
import { visible } from '#client/ui/text/visible.ts'
import { type ChosenSource, isAmong } from './reportForm.ts'
import classes from './Wizard.module.css'

type SourceFolderProps = {
  /** The whole storage or project. */
  source: ChosenSource
  sources: readonly ChosenSource[]
  onToggle: (source: ChosenSource) => void
}

/** Selects a folder of a storage or project. */
export function SourceFolder({ source, ...choice }: SourceFolderProps) {
  const isProject = source.type === 'PROJECT'
  const { indexingDate } = useActiveDate()
  const project = useRemote(
    projects.find,
    isProject ? { params: { id: source.id }, query: { indexingDate } } : undefined,
  )
  if (!isProject) return <FolderInput volumeId={source.id} source={source} {...choice} />
  return (
    <div className={classes.folder}>
      <RemoteContent remote={project}>
        {(project) => <FolderOfProject items={itemsOf(project)} source={source} {...choice} />}
      </RemoteContent>
    </div>
  )
}

const itemsOf = ({ projectShares }: Project): ProjectItem[] =>
  projectShares.flatMap(({ isDeleted, projectItems }) => (isDeleted ? [] : projectItems))

/** The selected folder of the project is opened first. A path counts on each storage of the project. */
function FolderOfProject({ items, ...props }: SourceFolderProps & { items: ProjectItem[] }) {
  const [chosen, choose] = useState(0)
  const item = items[chosen]
  if (!item) return <p className="muted">This project has no folders.</p>
  return (
    <>
      <NativeSelect
        label="Folder of the project"
        data={items.map(({ volumeName, path }, at) => ({ value: String(at), label: `${volumeName} ${visible(path)}` }))}
        value={String(chosen)}
        onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
      />
      <FolderInput key={chosen} volumeId={item.volumeId} start={item.path} within={items} {...props} />
    </>
  )
}

type FolderInputProps = SourceFolderProps & {
  volumeId: number
  start?: string
  /** Folders, one of which must share contents with the selected one. */
  within?: ProjectItem[]
}

function FolderInput({ source, sources, onToggle, volumeId, start, within }: FolderInputProps) {
  const [text, setText] = useState(start ?? '')
  const path = typedPath(text)
  const isOutside = path !== undefined && within?.every((item) => !isIn(path, item.path) && !isIn(item.path, path))
  const folder = path === undefined || isOutside ? undefined : { ...source, path }
  const toggle = () => {
    if (!folder) return
    onToggle(folder)
    setText('')
  }
  return (
    <div className={within ? classes.input : classes.folder}>
      <PathInput {...{ volumeId, text }} onText={setText} onEnter={toggle} disabled={false} start={start} />
      {isOutside && <p className="muted">The project has nothing in this folder.</p>}
      <Button variant="default" disabled={!folder} onClick={toggle}>
        {folder && isAmong(sources, folder) ? 'Remove folder' : 'Add folder'}
      </Button>
    </div>
  )
}

const isIn = (path: string, folder: string): boolean => folder === '/' || `${path}/`.startsWith(`${folder}/`)
