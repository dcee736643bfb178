import { useState } from 'react'
import { Statistics } from '#client/parts/statistics/Statistics.tsx'
import { useDetailedVolume } from '#client/parts/storages/useDetailedVolume.ts'
import type { Measure } from '#client/ui/charts/measure.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'

/** Charts of a volume, below its facts. */
export function VolumeStatistics({ id }: { id: number }) {
  const detailed = useDetailedVolume(id)
  const [measure, setMeasure] = useState<Measure>('size')
  return (
    <RemoteContent remote={detailed} skeleton={<Skeleton rows={6} isInset />}>
      {(volume) => volume && <Statistics volume={volume} measure={measure} onMeasure={setMeasure} />}
    </RemoteContent>
  )
}
