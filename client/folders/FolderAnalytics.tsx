import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { folderHistory } from '#events/folders.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { useLinks } from '../app/links.ts'
import { useRemote } from '../app/remote.ts'
import { useFailureToast } from '../app/useFailureToast.ts'
import { Breadcrumb } from '../parts/breadcrumb/Breadcrumb.tsx'
import { NoFolder } from '../parts/no-folder/NoFolder.tsx'
import { useVolumes } from '../parts/storages/useVolumes.ts'
import { volumeName } from '../parts/storages/volumeWords.ts'
import { Chip } from '../ui/Chip.tsx'
import { Page } from '../ui/Page.tsx'
import type { FolderPlace } from './folderPlace.ts'
import { SizeVariationCard } from './SizeVariationCard.tsx'
import { SummaryCard } from './SummaryCard.tsx'
import { TimelineCard } from './TimelineCard.tsx'
import { title } from './title.ts'
import { usePreviousDate } from '../parts/previous-date/usePreviousDate.ts'
import { VariationTree } from './VariationTree.tsx'
import classes from './Folders.module.css'

/** A folder beside an earlier date, and as every snapshot has it. */
export function FolderAnalytics({ place }: { place: FolderPlace }) {
  const { volumeId, path } = place
  const links = useLinks()
  const { active } = useActiveDate()
  const compared = usePreviousDate()
  const history = useRemote(folderHistory, { query: { path, volumeId } }, 'snapshots')
  useFailureToast(history.error)
  const now = history.data?.find(({ indexingDate }) => indexingDate === active?.indexingDate)
  const isGone = active && history.data && history.data.length > 0 && !now
  const volume = useVolumes().data?.elements.find(({ id }) => id === volumeId)
  const linkTo = (path: string) => links.folders({ volumeId, path, previousDate: compared.asked })
  const comparedPlace = { volumeId, path, previousDate: compared.date }
  return (
    <Page
      title={title}
      leading={isGone && <Chip tone="critical">Not in this snapshot</Chip>}
      actions={
        <>
          <Button component={Link} href={links.comparison(comparedPlace)} variant="default">
            Compare
          </Button>
          <Button component={Link} href={links.fileManagement({ volumeId, path })} variant="default">
            File Management
          </Button>
        </>
      }
      tabs={<Breadcrumb volumeId={volumeId} volume={volume ? volumeName(volume) : ''} path={path} linkTo={linkTo} />}
    >
      {history.data?.length === 0 ? (
        <NoFolder />
      ) : (
        <div className={classes.sides}>
          <VariationTree place={place} size={now?.size} compared={compared} linkTo={linkTo} />
          <div className={classes.cards}>
            <SizeVariationCard place={place} history={history} />
            <TimelineCard history={history} />
            <SummaryCard place={place} />
          </div>
        </div>
      )}
    </Page>
  )
}
