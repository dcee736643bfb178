import { useSnapshot } from 'valtio'
import type { DetailedVolume } from '#events/storages.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { costSetting } from '../parts/cost/costInterval.state.ts'
import { PdfPreview } from '../parts/pdf-preview/PdfPreview.tsx'
import { volumeName } from '../parts/storages/volumeWords.ts'
import type { Measure } from '../ui/charts/measure.ts'
import { sizeSetting } from '../ui/sizeBase.state.ts'
import { readReport } from './report/readReport.ts'
import type { TimeWindow } from './timeWindow.ts'

type VolumePreviewProps = { volume: DetailedVolume; frame: TimeWindow; measure: Measure; onClose: () => void }

/** All that is known of a storage as a document. */
export function VolumePreview({ volume, frame, measure, onClose }: VolumePreviewProps) {
  const { base } = useSnapshot(sizeSetting)
  const { interval } = useSnapshot(costSetting)
  const { indexingDate } = useActiveDate()
  const make = async () => {
    const { volumeReportFile } = await import('./report/volumeReportFile.tsx')
    return volumeReportFile(await readReport({ volume, indexingDate, frame, interval, reading: { measure, base } }))
  }
  const name = volumeName(volume)
  // Browsers take no slash in the name of a file.
  const fileName = `Volume-${name.replaceAll('/', '-')}-${volume.indexingDate}.pdf`
  return <PdfPreview title={`Volume ${name}`} fileName={fileName} make={make} onClose={onClose} />
}
