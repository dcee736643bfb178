import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { DetailedVolume } from '#events/storages.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { volumeKind, volumeName } from '#client/parts/storages/volumeWords.ts'
import type { Measure } from '#client/ui/charts/measure.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Facts } from '#client/ui/values/Facts.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Page } from '#client/ui/Page.tsx'
import { Card } from '#client/ui/Card.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLiveDashboard } from '#client/app/live/dashboard.state.ts'
import { costSetting } from '#client/parts/cost/costInterval.state.ts'
import { Statistics } from '#client/parts/statistics/Statistics.tsx'
import { PdfPreview } from '#client/parts/pdf-preview/PdfPreview.tsx'
import { SizeTimeline } from '#client/parts/time-window/SizeTimeline.tsx'
import type { TimeWindow } from '#client/parts/time-window/timeWindow.ts'
import { ActionsCard } from './ActionsCard.tsx'
import { ArchivedCard } from './ArchivedCard.tsx'
import { CostCard } from './CostCard.tsx'
import { InsightsCard } from '#client/parts/volume-analytics/InsightsCard.tsx'
import { SizeChart } from '#client/parts/volume-analytics/SizeChart.tsx'
import { timelineChart } from '#client/parts/volume-analytics/timelineChart.ts'
import { useTimeline } from '#client/parts/volume-analytics/useTimeline.ts'
import { QuarantineCard } from './QuarantineCard.tsx'
import { VolumeHead } from './VolumeHead.tsx'
import { detailFacts, forecastFacts } from './detailFacts.ts'
import { readReport } from './report/readReport.ts'

type VolumeAnalyticsProps = { volume: DetailedVolume; remote: Loadable<unknown> }

/** Analytics of a storage on a date. */
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
      <div className="stack gap-12">
        <VolumeHead volume={volume} />
        <div className="halves start">
          <div className="stack shrink gap-12">
            {groupOfType(volume.type) === 'file' && <SizeChart volume={volume} />}
            <CostCard volume={volume} />
            <DetailsCard volume={volume} remote={remote} />
          </div>
          {/* The shorter column, so that cards that arrive late move nothing below. */}
          <div className="stack shrink gap-12">
            <InsightsCard volume={volume} />
            <ArchivedCard volume={volume} />
            <QuarantineCard volume={volume} />
            <ActionsCard volume={volume} />
          </div>
        </div>
        <SizeTimeline
          title="Used capacity"
          timeWindow={timeline.timeWindow}
          remote={timeline.points}
          line={timelineChart}
          onPick={timeline.openDay}
        />
        <Statistics volume={volume} measure={measure} onMeasure={setMeasure} />
      </div>
      {isPreviewed && (
        <VolumePreview
          volume={volume}
          frame={timeline.timeWindow.frame}
          measure={measure}
          onClose={() => preview(false)}
        />
      )}
    </Page>
  )
}

/** Totals of a storage in a snapshot. */
function DetailsCard({ volume, remote }: { volume: DetailedVolume; remote: Loadable<unknown> }) {
  const { base } = useSnapshot(sizeSetting)
  const { at } = useActiveDate()
  const storages = useLiveDashboard(at).data?.storages
  const size = storages?.find(({ volumeId }) => volumeId === volume.id)
  return (
    <Card title="Storage details" remote={{ ...remote, data: volume }}>
      {(volume) => <Facts facts={[...detailFacts(volume, base), ...forecastFacts(size)]} />}
    </Card>
  )
}

type VolumePreviewProps = { volume: DetailedVolume; frame: TimeWindow; measure: Measure; onClose: () => void }

/** Preview of the analytics as PDF. */
function VolumePreview({ volume, frame, measure, onClose }: VolumePreviewProps) {
  const { base } = useSnapshot(sizeSetting)
  const { interval } = useSnapshot(costSetting)
  const { indexingDate } = useActiveDate()
  const make = async () => {
    const { volumeReportFile } = await import('./report/volumeReportFile.tsx')
    return volumeReportFile(await readReport({ volume, indexingDate, frame, interval, reading: { measure, base } }))
  }
  const name = volumeName(volume)
  // File names can't contain slashes.
  const fileName = `Volume-${name.replaceAll('/', '-')}-${volume.indexingDate}.pdf`
  return <PdfPreview title={`Volume ${name}`} fileName={fileName} make={make} onClose={onClose} />
}
