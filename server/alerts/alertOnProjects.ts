import type { Trx } from '#server/platform/log/eventLog.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { projectSpaces } from '#server/projects/index.ts'
import { type SpaceAlert, spoken, tellOfSpace, type Told } from './tellOfSpace.ts'

/** Tells a user which of the projects hold as much of their allocated size as the threshold or more, on the newest date. */
export async function alertOnProjects(trx: Trx, alert: SpaceAlert & { projectIds: number[] }): Promise<Told> {
  const { day, projects } = await projectSpaces(trx, alert.projectIds)
  const spaces = projects.map(({ name, bytes, allocatedSize }) => ({
    name,
    used: bytes === null || day === null ? undefined : (bytes / allocatedSize) * 100,
    line: `${sizeText(bytes ?? 0)} of ${sizeText(allocatedSize)} allocated, indexed on ${day}`,
  }))
  const unknown = spaces.filter(({ used }) => used === undefined).map(({ name }) => name)
  const gone = alert.projectIds.filter((id) => !projects.some((project) => project.id === id))
  const unsaid = [
    ...(unknown.length > 0 ? [`the size of ${spoken(unknown)} is not counted yet`] : []),
    ...(gone.length > 0 ? [`${spoken(gone.map(String))} not there any more`] : []),
  ]
  return tellOfSpace(trx, alert, {
    spaces,
    unsaid,
    words: { one: 'project', many: 'projects', whole: 'the allocated size' },
  })
}
