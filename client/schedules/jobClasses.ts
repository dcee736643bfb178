import { type ScannerClass, scannerClassLabels } from '#events/schedules.ts'

/** What a job of a class has to be told: nothing, an agent, which storages, or a path on each of some storages. */
export type Choice = 'nothing' | 'agent' | 'storages' | 'paths'

type JobClass = {
  choice: Choice
  canClone: boolean
  canScanDelta: boolean
  /** What it scans, where this version cannot set that up. */
  missing?: string
}

const everything: JobClass = { choice: 'nothing', canClone: true, canScanDelta: false }
const some: JobClass = { ...everything, choice: 'storages' }
const buckets = { missing: 'Object storages' }
const powerScales = { missing: 'Dell PowerScale storages' }
const archiwares = { missing: 'Archiware indexes' }

export const jobClasses: Record<ScannerClass, JobClass> = {
  SCAN_ALL_VOLUMES: everything,
  SCAN_SERVER: { ...everything, choice: 'agent' },
  SCAN_VOLUMES: some,
  SCAN_ALL_BUCKETS: { ...everything, ...buckets },
  SCAN_BUCKETS: { ...some, ...buckets },
  SCAN_ALL_DELL_POWER_SCALES: { ...everything, ...powerScales },
  SCAN_DELL_POWER_SCALES: { ...some, ...powerScales, canScanDelta: true },
  SCAN_ALL_ARCHIWARES: { ...everything, ...archiwares },
  SCAN_ARCHIWARES: { ...some, ...archiwares, canScanDelta: true },
  SCAN_STORAGES: { choice: 'paths', canClone: false, canScanDelta: false },
  SCAN_ALL_STORAGES: { choice: 'nothing', canClone: false, canScanDelta: false },
}

/** Those that are there come first; the rest say that they are not. */
export const jobClassChoices = (Object.keys(jobClasses) as ScannerClass[])
  .map((value) => ({ value, label: scannerClassLabels[value], isMissing: jobClasses[value].missing !== undefined }))
  .toSorted((a, b) => Number(a.isMissing) - Number(b.isMissing))
  .map(({ value, label, isMissing }) => ({
    value,
    label: isMissing ? `${label} (not available in this version)` : label,
  }))
