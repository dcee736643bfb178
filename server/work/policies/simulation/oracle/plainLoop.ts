import { folderOf, type PastDisk, type PastScan, type SeenFile } from './pastDisk.ts'

/** A file that a policy would have acted on; `usedOn` is the day of its next use, whenever that was. */
export type Acted = {
  volumeId: number
  path: string
  seen: SeenFile
  day: string
  usedOn: string | undefined
  bytes: number
}
/** The scan that a snapshot shows. */
export type ShownScan = { indexingDate: string; scanId: number }
export type Policy = {
  age: number
  isMeant: (path: string, seen: SeenFile, volumeId: number) => boolean
  keepsAccessTimes: boolean
}

const day = 86_400
const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)
const startOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000

/** Knowledge of a file: on a day, or by a scan that no snapshot shows. */
type State = { path: string; seen: SeenFile; on: string | undefined; use: number }

/** Goes through the days of a disk, file by file. */
export function actOnPast(disk: PastDisk, shown: readonly ShownScan[], policy: Policy): Acted[] {
  const files = new Map<string, State[]>()
  for (const [place, { scanId, files: there, numbers }] of disk.scans.entries()) {
    const dates = shown.filter((one) => one.scanId === scanId).map(({ indexingDate }) => indexingDate)
    for (const [path, seen] of there)
      for (const on of dates.length > 0 ? dates : [undefined]) {
        const number = numbers.get(path) as string
        const use = Math.max(useOn(disk, place, path, on, policy), beganOn(disk, place, path, shown, policy, on))
        files.set(number, [...(files.get(number) ?? []), { path, seen, on, use }])
      }
  }
  return [...files.values()].flatMap((states) => actOnFile(disk, states, policy))
}

/** The last use that a day shows. If accesses make no versions, it shows that of the last scan with the same version, unless that is later. */
function useOn(
  { scans }: PastDisk,
  place: number,
  path: string,
  on: string | undefined,
  { keepsAccessTimes }: Policy,
): number {
  const { created, modified, accessed, ...others } = (scans[place] as PastScan).files.get(path) as SeenFile
  const change = Math.max(created, modified)
  if (keepsAccessTimes) return Math.max(change, accessed)
  const facts = ({ accessed: _, inode: __, ...seen }: SeenFile) => JSON.stringify(seen)
  const own = facts({ created, modified, accessed, ...others })
  let last = accessed
  for (const { files } of scans.slice(place + 1)) {
    const later = files.get(path)
    if (!later || facts(later) !== own) break
    last = later.accessed
  }
  return on !== undefined && dayOf(last) > on ? change : Math.max(change, last)
}

/** Without a creation time, a version that the first scan didn't see counts as used on the first day that shows it. */
function beganOn(
  { scans }: PastDisk,
  place: number,
  path: string,
  shown: readonly ShownScan[],
  { keepsAccessTimes }: Policy,
  on: string | undefined,
): number {
  const facts = (seen: SeenFile | undefined) =>
    seen && JSON.stringify({ ...seen, inode: 0, accessed: keepsAccessTimes ? seen.accessed : 0 })
  const own = scans[place]?.files.get(path)
  if (on === undefined || own?.created !== 0) return 0
  let began = place
  while (began > 0 && facts(scans[began - 1]?.files.get(path)) === facts(own)) began--
  const days = scans.slice(began, place + 1).flatMap(({ scanId }) => shown.filter((one) => one.scanId === scanId))
  return began === 0 ? 0 : startOf(days[0]?.indexingDate ?? on)
}

function actOnFile({ volumeId, sizeBasis }: PastDisk, states: readonly State[], { age, isMeant }: Policy): Acted[] {
  const acted: Acted[] = []
  let lastUse = 0
  let isActedOn = false
  for (const [place, { path, seen, on, use }] of states.entries()) {
    if (dayOf(use) > dayOf(lastUse)) {
      lastUse = use
      isActedOn = false
    }
    const isOld = on !== undefined && use < startOf(on) - age * day
    if (isActedOn || !isOld || seen.modified === 0 || !isMeant(path, seen, volumeId)) continue
    isActedOn = true
    const later = states.slice(place + 1).find((state) => dayOf(state.use) > dayOf(lastUse))
    const size = sizeBasis === 'apparent' ? seen.size : Math.ceil(seen.size / 512) * 512
    acted.push({ volumeId, path, seen, day: on, usedOn: later && dayOf(later.use), bytes: seen.isRepeated ? 0 : size })
  }
  return acted
}

/** Those that are used again within some days, from the day on which the policy acts. */
export const usedWithin = (acted: readonly Acted[], days: number): Acted[] =>
  acted.filter(({ day: on, usedOn }) => usedOn !== undefined && startOf(usedOn) < startOf(on) + days * day)

export const isIn =
  (folder: string) =>
  ({ path }: { path: string }): boolean =>
    folderOf(path).startsWith(folder)
