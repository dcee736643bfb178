import { reservedBytes, usedShare } from '#events/capacity.ts'
import { maxStoredBytes } from '#events/scans/entryLimits.ts'
import type { StorageSize } from '#events/dashboard.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { refusalFor } from '#client/app/session.state.ts'
import { countText, percentText } from '#client/ui/text/count.ts'
import { durationText } from '#client/ui/text/duration.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { type SizeBase, exactSize, sizeWords } from '#client/ui/text/size.ts'
import { forecastRange, forecastRule, forecastText } from '#client/parts/storages/forecastWords.ts'
import { sharedSpaceText, volumeKind } from '#client/parts/storages/volumeWords.ts'
import { bothSizes, volumeSizes } from '#client/parts/storages/bothSizes.ts'
import { notIncludedText } from '#client/parts/storages/notIncluded.ts'
import type { Fact } from '#client/ui/values/Facts.tsx'

export function detailFacts(volume: DetailedVolume, base: SizeBase): Fact[] {
  const share = usedShare(volume)
  const atLeast = volume.isPartial ? '≥ ' : ''
  const size = (name: string, bytes: number | null): Fact =>
    bytes === null ? { name, text: 'Unknown' } : { name, text: sizeWords(bytes, base), exact: exactSize(bytes) }
  const files = { ...size('Size of files', volume.sizeOfFiles), text: bothSizes(volumeSizes(volume), base) }
  const warning = sizeWarning(volume)
  return [
    { name: 'Kind', text: volumeKind(volume) },
    ...(volume.productName === null ? [] : [{ name: 'Product', text: volume.productName }]),
    ...(volume.limited
      ? [{ name: 'Capacity', text: refusalFor() }]
      : [
          size('Total', volume.total),
          size('Used', volume.used),
          size('Available', volume.free),
          size('Reserved', reservedBytes(volume) ?? null),
        ]),
    ...(share === undefined ? [] : [{ name: 'Percent used', text: percentText(share) }]),
    ...(volume.sharedWith.length === 0 ? [] : [{ name: 'Same disk as', text: volume.sharedWith.join(', ') }]),
    { ...files, text: `${atLeast}${files.text}` },
    ...(warning === undefined ? [] : [{ name: 'Check', text: warning }]),
    ...(volume.lacksSizesOnDisk ? [{ name: 'Size on disk', text: lacksSizes }] : []),
    ...(volume.mayShareSpace ? [{ name: 'Copies', text: sharedSpaceText }] : []),
    { name: 'Number of files', text: `${atLeast}${countText(volume.numberOfFiles)}` },
    { name: 'Number of folders', text: `${atLeast}${countText(volume.numberOfFolders)}` },
    ...(volume.notEntered.count === 0
      ? []
      : [{ name: 'Not included', text: notIncludedText(volume.notEntered.folders, volume.notEntered.count) }]),
    ...accessFacts(volume),
    ...versionFacts(volume, base),
    ...(volume.inventoryAt === null ? [] : [{ name: 'S3 Inventory of', text: momentText(volume.inventoryAt) }]),
    { name: 'Snapshot', text: volume.scannedOn },
    ...(volume.limited ? [] : [{ name: 'Scan duration', text: scanText(volume.crawlDuration) }]),
  ]
}

/** When the disk is full. Without a capacity there is nothing to forecast. */
export function forecastFacts(storage: Pick<StorageSize, 'total' | 'forecast'> | undefined): Fact[] {
  if (!storage?.total) return []
  const { forecast } = storage
  if (!forecast) return [{ name: 'Forecast', text: 'No forecast yet. Needs 5 scans with steady growth.' }]
  const range = forecastRange(forecast)
  const text = `${forecastText(forecast)}${range === '' ? '' : ` (${range})`}`
  return [{ name: 'Forecast', text, exact: forecastRule }]
}

const lacksSizes = 'Not reported for some files by their file system. Their apparent size counts.'

/** Explains why no file of a file storage counts as cold; nothing if access times mean something. */
export function accessWarning({ type, accessTimes }: Pick<DetailedVolume, 'type' | 'accessTimes'>): string | undefined {
  if (groupOfType(type) !== 'file' || accessTimes === 'recorded') return undefined
  return accessTimes === 'missing'
    ? 'No file has an access time, so none counts as cold'
    : 'Reading files does not change their access times, as with noatime, so no file counts as cold'
}

function accessFacts(volume: DetailedVolume): Fact[] {
  const warning = accessWarning(volume)
  return warning === undefined ? [] : [{ name: 'Access times', text: warning }]
}

/** The reason to doubt the size of a storage; undefined if it is plausible. */
export function sizeWarning({ sizeOfFiles, total }: Pick<DetailedVolume, 'sizeOfFiles' | 'total'>): string | undefined {
  if (sizeOfFiles >= maxStoredBytes) return 'Implausible size: the sizes of files add up to more than can be stored'
  if (total === null || total === 0 || sizeOfFiles <= total) return undefined
  return 'Larger than its disk: sparse or compressed files, or files that are seen more than once'
}

/** Versions and incomplete uploads of a bucket, if counted. */
function versionFacts({ versions, versionsFailure, ...volume }: DetailedVolume, base: SizeBase): Fact[] {
  const isAzure = volume.type === 'AZURE'
  if (versionsFailure !== null) {
    const name = isAzure ? 'Versions and deleted blobs' : 'Versions and uploads'
    return [{ name, text: `could not be counted: ${versionsFailure}` }]
  }
  if (versions === null) return []
  const counted = (name: string, { count, bytes }: { count: number; bytes: number }): Fact => ({
    name,
    text: `${sizeWords(bytes, base)} in ${countText(count)}`,
    exact: exactSize(bytes),
  })
  const current = counted('Current', { count: volume.numberOfFiles, bytes: volume.sizeOfFiles })
  if (isAzure) return [current, counted('Versions, snapshots and soft-deleted blobs', versions.noncurrent)]
  return [
    current,
    counted('Noncurrent versions', versions.noncurrent),
    { name: 'Delete markers', text: countText(versions.deleteMarkers) },
    counted('Incomplete uploads', versions.incomplete),
  ]
}

const scanText = (duration: number | null) => (duration === null || duration < 0 ? 'Unknown' : durationText(duration))
