import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useState } from 'react'
import type { DetailedVolume } from '#events/storages.ts'
import { isFileStorage } from '../parts/storages/storageKind.ts'
import { volumeKind, volumeName } from '../parts/storages/volumeWords.ts'
import type { Measure } from '../ui/charts/measure.ts'
import { Chip } from '../ui/Chip.tsx'
import type { Loadable } from '../ui/loadable.ts'
import { Page } from '../ui/Page.tsx'
import { CostCard } from './CostCard.tsx'
import { DetailsCard } from './DetailsCard.tsx'
import { InsightsCard } from './InsightsCard.tsx'
import { SizeChart } from './SizeChart.tsx'
import { Statistics } from './Statistics.tsx'
import { TimelineCard } from './TimelineCard.tsx'
import { useTimeline } from './useTimeline.ts'
import { VolumeHead } from './VolumeHead.tsx'
import { VolumePreview } from './VolumePreview.tsx'
import classes from './Volume.module.css'

type VolumeAnalyticsProps = { volume: DetailedVolume; remote: Loadable<unknown> }

/** All that is known of a storage at a date. */
export function VolumeAnalytics({ volume, remote }: VolumeAnalyticsProps) {
  const timeline = useTimeline(volume)
  const [measure, setMeasure] = useState<Measure>('size')
  const [isPreviewed, preview] = useState(false)
  return (
    <Page
      title={volumeName(volume)}
      leading={<Chip>{volumeKind(volume)}</Chip>}
      actions={
        <Button
          variant="default"
          leftSection={<IconFileTypePdf size={16} stroke={1.5} />}
          onClick={() => preview(true)}
        >
          PDF
        </Button>
      }
    >
      <div className={classes.page}>
        <VolumeHead volume={volume} />
        <div className={classes.halves}>
          <div className={classes.half}>
            {isFileStorage(volume.type) && <SizeChart volume={volume} />}
            <DetailsCard volume={volume} remote={remote} />
          </div>
          <div className={classes.half}>
            <CostCard volume={volume} />
            <InsightsCard volume={volume} />
          </div>
        </div>
        <TimelineCard timeline={timeline} />
        <Statistics volume={volume} measure={measure} onMeasure={setMeasure} />
      </div>
      {isPreviewed && (
        <VolumePreview volume={volume} frame={timeline.frame} measure={measure} onClose={() => preview(false)} />
      )}
    </Page>
  )
}
