import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ProjectShare } from '#events/projects/calls.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { Segments } from '#client/ui/form/Segments.tsx'
import { FolderCard } from './FolderCard.tsx'
import type { AgeField } from './folderCharts.ts'
import { knowsAccess } from './projectSearch.ts'
import classes from './Project.module.css'

const ageFields: { value: AgeField; label: string }[] = [
  { value: 'MODIFIED_DATE', label: 'Last modified' },
  { value: 'ACCESS_DATE', label: 'Last access' },
]

/** Number of folders shown initially. */
const shownAtFirst = 10

type VolumeSectionProps = { share: ProjectShare; day: string; folds: 'open' | 'closed' }

/** Folders of a project on one storage. */
export function VolumeSection({ share, day, folds }: VolumeSectionProps) {
  const [by, setBy] = useState<AgeField>('MODIFIED_DATE')
  const [all, showAll] = useState(false)
  const { projectItems, sizeOfFiles, numberOfFiles, type, isDeleted } = share
  const name = volumeName({ name: share.volumeName, type })
  const shown = all ? projectItems : projectItems.slice(0, shownAtFirst)
  const more = projectItems.length - shown.length
  return (
    <Panel
      title={name}
      folds={folds}
      note={
        <>
          {counted(projectItems.length, 'folder')}, <Size bytes={sizeOfFiles} />, {counted(numberOfFiles, 'file')}
        </>
      }
      actions={
        !isDeleted &&
        knowsAccess(type) && (
          <Segments label={`Ages of files in ${name}`} options={ageFields} chosen={by} onChoose={setBy} />
        )
      }
    >
      <ul>
        {shown.map((item) => (
          <li key={item.id}>
            <FolderCard item={item} by={by} day={day} isDeleted={isDeleted} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => showAll(true)}>
            Show {counted(more, 'more folder')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
