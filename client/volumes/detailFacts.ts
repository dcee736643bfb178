import type { DetailedVolume } from '#events/storages.ts'
import { countText, percentText } from '../ui/text/count.ts'
import { durationText } from '../ui/text/duration.ts'
import { type SizeBase, exactSize, sizeWords } from '../ui/text/size.ts'
import { usedShare, volumeKind } from '../parts/storages/volumeWords.ts'

/** What is known of a storage, by name; `exact` is what a hover says. */
export type Fact = { name: string; text: string; exact?: string }

export function detailFacts(volume: DetailedVolume, base: SizeBase): Fact[] {
  const share = usedShare(volume)
  const atLeast = volume.isPartial ? '≥ ' : ''
  const size = (name: string, bytes: number | null): Fact =>
    bytes === null ? { name, text: 'Unknown' } : { name, text: sizeWords(bytes, base), exact: exactSize(bytes) }
  const files = size('Size of files', volume.sizeOfFiles)
  return [
    { name: 'Kind', text: volumeKind(volume) },
    ...(volume.productName === null ? [] : [{ name: 'Product', text: volume.productName }]),
    size('Total', volume.total),
    size('Used', volume.used),
    size('Free', volume.free),
    ...(share === undefined ? [] : [{ name: 'Percent used', text: percentText(share) }]),
    { ...files, text: `${atLeast}${files.text}` },
    { name: 'Number of files', text: `${atLeast}${countText(volume.numberOfFiles)}` },
    { name: 'Number of folders', text: `${atLeast}${countText(volume.numberOfFolders)}` },
    { name: 'Indexing date', text: volume.indexingDate },
    { name: 'Scan duration', text: scanText(volume.crawlDuration) },
  ]
}

const scanText = (duration: number | null) => (duration === null || duration < 0 ? 'Unknown' : durationText(duration))
