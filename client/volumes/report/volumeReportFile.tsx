import { pdf } from '@react-pdf/renderer'
import type { VolumeReportProps } from './readReport.ts'
import { VolumeReport } from './VolumeReport.tsx'

/** The document as a file. The PDF library is large, so this file is loaded on demand. */
export const volumeReportFile = (report: VolumeReportProps): Promise<Blob> => pdf(<VolumeReport {...report} />).toBlob()
