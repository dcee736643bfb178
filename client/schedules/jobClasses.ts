import { type Bundle, lockedMessages } from '#events/contract/needs.ts'
import { type ScannerClass, scannerClassLabels } from '#events/schedules/calls.ts'
import { type Source, sourceScheduledBy } from '#events/sources/kinds.ts'

/** Targets of a job class: no target, an agent, sources of a kind, or a path on each of some storages. */
type Choice = 'nothing' | 'agent' | 'sources' | 'paths'

type JobClass = {
  choice: Choice
  /** The only kind that it scans. */
  source: Source | undefined
  canClone: boolean
  canScanDelta: boolean
}

const ofAnySource = { source: undefined, canClone: true, canScanDelta: false }
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
    choice: isOfSome ? 'sources' : 'nothing',
    source,
    canClone: true,
    canScanDelta: isOfSome && source.hasDelta,
  }
}

/** The job classes of this version to choose from. Those without a license come last, with the reason. */
export function jobClassChoices(isLicensed: (bundle: Bundle | undefined) => boolean) {
  const reasonOf = ({ source }: JobClass) =>
    source?.bundle && !isLicensed(source.bundle) ? lockedMessages[source.bundle] : undefined
  return classes
    .filter((value) => jobClasses[value].source?.isAvailable !== false)
    .map((value) => ({ value, label: scannerClassLabels[value], reason: reasonOf(jobClasses[value]) }))
    .toSorted((a, b) => Number(a.reason !== undefined) - Number(b.reason !== undefined))
    .map(({ value, label, reason }) => ({
      value,
      label: reason === undefined ? label : `${label} (${reason})`,
      disabled: reason !== undefined,
    }))
}
