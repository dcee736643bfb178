import { pdf } from '@react-pdf/renderer'
import type { VolumeReportProps } from './readReport.ts'
import { VolumeReport } from './VolumeReport.tsx'

/** The document as a file. What makes it is large, so this is loaded when it is asked for. */
export const volumeReportFile = (report: VolumeReportProps): Promise<Blob> => pdf(<VolumeReport {...report} />).toBlob()
