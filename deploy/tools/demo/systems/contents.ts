import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ArchiwareSimulator, pathOf } from '#agent/systems/archiware/simulator/index.ts'
import type { StorNextSimulator } from '#agent/systems/stornext/simulator/index.ts'
import { daySeconds, padded } from '../world/files.ts'
import { newRandom } from '../world/random.ts'
import { disksOf, placesOf, storNextPath, writeJson } from './places.ts'

/** Shows on the disk Edit bay, on its tapes of StorNext, and in the archive of P5 only. */
const shows = {
  onDisk: ['harbor_lights', 'paper_moons', 'red_mesa', 'snow_line'],
  onTape: 'copper_canyon',
  archived: 'long_road',
}

/** Systems that keep files elsewhere than on the disks of the demo. */
type Tapes = { p5: ArchiwareSimulator; storNext: StorNextSimulator }

const indexOf = ({ p5 }: Tapes) => p5.indexes.get('Default-Archive') ?? p5.addIndex('Default-Archive')

/** Index and files of the systems. The contents of files are in the folder of their tapes. */
const contentsOf = (tapes: Tapes) => ({
  index: [...indexOf(tapes).entries()].map((entry) => {
    const type = entry.children ? ('Directory' as const) : ('File' as const)
    return { path: pathOf(entry), type, generations: entry.generations }
  }),
  files: tapes.storNext.files.all(),
})

/** Returns a function that writes the contents of the systems, if they have changed. */
export function contentsKeeper(tapes: Tapes, data: string): () => void {
  let kept = ''
  return () => {
    const contents = contentsOf(tapes)
    const text = JSON.stringify(contents)
    if (text !== kept) writeJson(placesOf(data).contents, contents)
    kept = text
  }
}

/** Restores the contents of the last start; writes the first files at the first start. */
export function readContents(tapes: Tapes, data: string): void {
  const { contents } = placesOf(data)
  if (!existsSync(contents)) return writeFirst(tapes, data)
  const { index, files } = JSON.parse(readFileSync(contents, 'utf8')) as ReturnType<typeof contentsOf>
  for (const { path, type, generations } of index)
    for (const generation of generations) indexOf(tapes).add(path, { ...generation, type })
  for (const { path, ...file } of files) tapes.storNext.addFile(path, file)
}

/** Writes the files of Edit bay: those of one show are on tape only, others in the archive, too, or only there. */
function writeFirst(tapes: Tapes, data: string): void {
  const editBay = disksOf(data).get('Edit bay') ?? ''
  const now = Date.now() / 1_000
  const inArchive = writeShow(editBay, shows.archived, now)
  for (const show of shows.onDisk)
    inArchive.push(...writeShow(editBay, show, now).filter((path) => path.endsWith('.wav')))
  for (const path of inArchive) archiveFile(tapes, path)
  rmSync(join(editBay, shows.archived), { recursive: true })
  for (const path of writeShow(editBay, shows.onTape, now)) putOnTape(tapes, storNextPath(data, path))
}

function archiveFile(tapes: Tapes, path: string): void {
  const { size, mtimeMs } = lstatSync(path)
  const values = {
    size,
    mtime: mtimeMs / 1_000,
    physicalPath: path,
    volumes: ['10101'],
    copy: tapes.p5.tape.keep(path),
  }
  indexOf(tapes).add(path, values)
}

function putOnTape({ storNext: { files } }: Tapes, path: string): void {
  const file = files.get(path)
  if (!file) return
  files.keepContent(file)
  file.copies.push({ copy: 1, mediaId: 'A00001L8', startBlock: 0, checksums: [files.checksum(file)] })
  files.truncate(file)
}

/** Kinds of files of a show: folder, name, extension, number, and the range of their sizes in KiB. */
const kinds = [
  ['cuts', 'cut', 'mov', 12, 120, 260],
  ['lists', 'cut', 'edl', 12, 1, 6],
  ['sound', 'scene', 'wav', 18, 30, 90],
  ['stills', 'still', 'jpg', 14, 20, 60],
] as const

/** Writes small files of a show into a folder, of the last year before `now` in seconds. Returns their paths. */
function writeShow(folder: string, show: string, now: number): string[] {
  const random = newRandom(show.length)
  return kinds.flatMap(([kind, name, extension, count, minKib, maxKib]) => {
    mkdirSync(join(folder, show, kind), { recursive: true })
    return Array.from({ length: count }, (_, i) => {
      const path = join(folder, show, kind, `${show}_${name}_${padded(i + 1)}.${extension}`)
      const modified = Math.floor(now) - random.int(3 * daySeconds, 400 * daySeconds)
      writeFileSync(path, Buffer.alloc(random.int(minKib * 1_024, maxKib * 1_024), `${show} ${name} ${i + 1}\n`))
      utimesSync(path, modified, modified)
      return path
    })
  })
}
