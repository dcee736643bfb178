import { type ScannerClass, scannerClassLabels } from '#events/schedules/calls.ts'
import { sourceScheduledBy } from '#events/sources/kinds.ts'

/** What a job class needs to know: nothing, an agent, storages, or a path on each of some storages. */
type Choice = 'nothing' | 'agent' | 'storages' | 'paths'

type JobClass = {
  choice: Choice
  canClone: boolean
  canScanDelta: boolean
  /** What it scans, where this version cannot set that up. */
  missing: string | undefined
}

const ofAnySource = { canClone: true, canScanDelta: false, missing: undefined }
const classes = Object.keys(scannerClassLabels) as ScannerClass[]

export const jobClasses = Object.fromEntries(classes.map((jobClass) => [jobClass, jobClassOf(jobClass)])) as Record<
  ScannerClass,
  JobClass
>

function jobClassOf(jobClass: ScannerClass): JobClass {
  if (jobClass === 'SCAN_STORAGES') return { ...ofAnySource, choice: 'paths', canClone: false }
  if (jobClass === 'SCAN_ALL_STORAGES') return { ...ofAnySource, choice: 'nothing', canClone: false }
  const source = sourceScheduledBy(jobClass)
  if (!source) return { ...ofAnySource, choice: 'agent' }
  const isOfSome = jobClass === source.scheduledBy[1]
  return {
    choice: isOfSome ? 'storages' : 'nothing',
    canClone: true,
    canScanDelta: isOfSome && source.hasDelta,
    missing: source.isAvailable ? undefined : source.plural.charAt(0).toUpperCase() + source.plural.slice(1),
  }
}

/** Those that are there come first; the rest say that they are not. */
export const jobClassChoices = classes
  .map((value) => ({ value, label: scannerClassLabels[value], isMissing: jobClasses[value].missing !== undefined }))
  .toSorted((a, b) => Number(a.isMissing) - Number(b.isMissing))
  .map(({ value, label, isMissing }) => ({
    value,
    label: isMissing ? `${label} (not available in this version)` : label,
  }))
