import type { Trx } from '#server/platform/log/eventLog.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { projectSpaces } from '#server/work/projects/index.ts'
import type { AlertOutcome } from './evaluation.ts'
import { joinNames } from '#server/platform/joinNames.ts'
import { growthOf, growthPhrases, growthThreshold, withinText } from './growth.ts'
import { fullPhrases, type ObjectAlert, percentText, reportObjects, type Watch, type Watches } from './reportObjects.ts'

/**
 * With `growthDays` the percentage is growth within that number of days; without, the used part of the allocated size.
 */
type ProjectAlert = ObjectAlert & {
  projectIds: number[]
  growthDays?: number | undefined
  growthBytes?: number | undefined
}

/**
 * Sends a user the projects that use at least the threshold of their allocated size on the newest date, or grew by it.
 */
export async function alertOnProjects(trx: Trx, alert: ProjectAlert): Promise<AlertOutcome> {
  const { growthDays } = alert
  const limit = growthDays === undefined ? alert.threshold : growthThreshold({ ...alert, growthDays })
  return reportObjects(trx, { ...alert, threshold: limit }, await checkProjects(trx, alert))
}

async function checkProjects(trx: Trx, { growthDays, ...alert }: ProjectAlert): Promise<Watches> {
  const { day, dayBefore, projects } = await projectSpaces(trx, alert.projectIds, growthDays)
  const limit = growthDays === undefined ? undefined : { ...alert, growthDays }
  const watches = projects.map(({ id, name, bytes, allocatedSize, bytesBefore }): Watch => {
    if (!limit) return { id, name, ...useOf(name, bytes, allocatedSize, day) }
    return { id, name, ...growthOf(name, { bytes, day }, { bytes: bytesBefore, day: dayBefore }, limit) }
  })
  const phrases = limit ? growthPhrases(limit) : fullPhrases(alert.threshold, 'the allocated size')
  const uncounted = watches.filter(({ percent }) => percent === undefined).map(({ name }) => name)
  const gone = alert.projectIds.filter((id) => !projects.some((project) => project.id === id))
  const isComparable = !limit || dayBefore !== null
  return {
    watches,
    notes: [
      ...(uncounted.length === 0 ? [] : [whyUnknown(uncounted, isComparable, withinText(growthDays ?? 0))]),
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

function useOf(name: string, bytes: number | null, allocatedSize: number, day: string | null) {
  const percent = bytes === null ? undefined : (bytes / allocatedSize) * 100
  const sizes = `${sizeText(bytes ?? 0)} of ${sizeText(allocatedSize)} allocated`
  const text = `${name} is at ${percentText(percent)}`
  return { percent, text, line: `${percentText(percent)} used, ${sizes}, indexed on ${day}` }
}
