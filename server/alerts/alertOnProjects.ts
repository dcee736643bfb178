import type { Trx } from '#server/platform/log/eventLog.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { projectSpaces } from '#server/projects/index.ts'
import {
  fullPhrases,
  percentText,
  type Space,
  type SpaceAlert,
  joinNames,
  sendCapacityAlert,
  type AlertOutcome,
} from './sendCapacityAlert.ts'

/**
 * With `growthDays` the percentage is growth within that number of days; without, the used part of the allocated size.
 */
type ProjectAlert = SpaceAlert & { projectIds: number[]; growthDays?: number | undefined }

/**
 * Sends a user the projects that use at least the threshold of their allocated size on the newest date, or grew by it.
 */
export async function alertOnProjects(trx: Trx, alert: ProjectAlert): Promise<AlertOutcome> {
  return sendCapacityAlert(trx, alert, await checkProjects(trx, alert))
}

async function checkProjects(trx: Trx, { projectIds, threshold, growthDays }: ProjectAlert) {
  const { day, dayBefore, projects } = await projectSpaces(trx, projectIds, growthDays)
  const spaces = projects.map(({ id, name, bytes, allocatedSize, bytesBefore }): Space => {
    if (growthDays === undefined) return { id, name, ...useOf(bytes, allocatedSize, day) }
    return { id, name, ...growthOf({ bytes, day }, { bytes: bytesBefore, day: dayBefore }) }
  })
  const within = growthDays === 1 ? '1 day' : `${growthDays} days`
  const grown = `by ${threshold} % within ${within}`
  const phrases =
    growthDays === undefined
      ? fullPhrases(threshold, 'the allocated size')
      : { did: `grew ${grown}`, has: `grown ${grown}`, more: '' }
  const uncounted = spaces.filter(({ percent }) => percent === undefined).map(({ name }) => name)
  const gone = projectIds.filter((id) => !projects.some((project) => project.id === id))
  return {
    spaces,
    notes: [
      ...(uncounted.length === 0
        ? []
        : [whyUnknown(uncounted, growthDays === undefined || dayBefore !== null, within)]),
      ...(gone.length > 0 ? [`deleted: ${joinNames(gone.map(String))}`] : []),
    ],
    phrases: {
      one: 'project',
      many: 'projects',
      page: (id?: number) => (id === undefined ? '/projects' : `/project/${id}`),
      ...phrases,
    },
  }
}

const whyUnknown = (names: string[], isComparable: boolean, within: string): string =>
  isComparable
    ? `the size of ${joinNames(names)} is not counted yet`
    : `there is no earlier snapshot within ${within} to compare ${joinNames(names)} with`

function useOf(bytes: number | null, allocatedSize: number, day: string | null) {
  const percent = bytes === null ? undefined : (bytes / allocatedSize) * 100
  const sizes = `${sizeText(bytes ?? 0)} of ${sizeText(allocatedSize)} allocated`
  return { percent, line: `${percentText(percent)} used, ${sizes}, indexed on ${day}` }
}

type Size = { bytes: number | null; day: string | null }

/** Growth from zero exceeds any threshold. */
function growthOf(now: Size, before: Size) {
  const grown = (now.bytes ?? 0) - (before.bytes ?? 0)
  const isKnown = now.bytes !== null && before.bytes !== null
  const percent = isKnown ? (grown === 0 ? 0 : (grown / (before.bytes ?? 0)) * 100) : undefined
  const sizes = [before, now].map(({ bytes, day }) => `${sizeText(bytes ?? 0)} on ${day}`)
  return { percent, line: `grew ${percent === Infinity ? '' : 'by '}${percentText(percent)}: ${sizes.join(', ')}` }
}
