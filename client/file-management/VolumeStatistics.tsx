import { useState } from 'react'
import { groupOfType } from '#events/sources/kinds.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { Statistics } from '#client/parts/statistics/Statistics.tsx'
import { useDetailedVolume } from '#client/parts/storages/useDetailedVolume.ts'
import { SizeTimeline } from '#client/parts/time-window/SizeTimeline.tsx'
import { InsightsCard } from '#client/parts/volume-analytics/InsightsCard.tsx'
import { SizeChart } from '#client/parts/volume-analytics/SizeChart.tsx'
import { timelineChart } from '#client/parts/volume-analytics/timelineChart.ts'
import { useTimeline } from '#client/parts/volume-analytics/useTimeline.ts'
import type { Measure } from '#client/ui/charts/measure.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'

/** Analytics of a volume, below its facts. */
export function VolumeStatistics({ id }: { id: number }) {
  const detailed = useDetailedVolume(id)
  return (
    <RemoteContent remote={detailed} skeleton={<Skeleton rows={6} isInset />}>
      {(volume) => volume && <Analytics volume={volume} />}
    </RemoteContent>
  )
}

function Analytics({ volume }: { volume: DetailedVolume }) {
  const timeline = useTimeline(volume)
  const [measure, setMeasure] = useState<Measure>('size')
  return (
    <>
      {groupOfType(volume.type) === 'file' && <SizeChart volume={volume} />}
      <InsightsCard volume={volume} />
      <SizeTimeline
        title="Used capacity"
        timeWindow={timeline.timeWindow}
        remote={timeline.points}
        line={timelineChart}
        onPick={timeline.openDay}
      />
      <Statistics volume={volume} measure={measure} onMeasure={setMeasure} />
    </>
  )
}
