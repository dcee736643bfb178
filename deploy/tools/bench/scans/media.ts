import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PlannedFile } from '#events/actions/files.ts'
import { readMediaFiles } from '#agent/media/readMediaFiles.ts'
import { scratchFolder } from '../../kit/ends.ts'
import { medianOfThree, timed } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'

/** Files of containers, codecs and lengths as archives have them, as options of ffmpeg. */
const kinds = {
  'h264.mp4': '-t 60 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac',
  'prores.mov': '-t 5 -c:v prores_ks -c:a pcm_s24le',
  'mpeg2.mxf': '-t 20 -c:v mpeg2video -b:v 8M -c:a pcm_s16le',
  'h264.mkv': '-t 60 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac',
  'sound.wav': '-t 60 -vn -c:a pcm_s16le',
}

/** `npm run bench -- media [--files N]`: reads media files as the agent does, and with two processes of `ffprobe` at a time. Needs ffmpeg. */
export const tool = defineTool({
  options: { files: 200 },
  async run({ files }) {
    const folder = scratchFolder()
    const inputs = '-loglevel error -f lavfi -i testsrc2=size=1280x720:rate=25 -f lavfi -i sine -ar 48000'
    for (const [name, options] of Object.entries(kinds))
      execFileSync('ffmpeg', [...inputs.split(' '), ...options.split(' '), join(folder, name)])
    const paths = Array.from({ length: files }, (_, n) => {
      const kind = Object.keys(kinds)[n % Object.keys(kinds).length] ?? ''
      const path = join(folder, `${n}${kind}`)
      copyFileSync(join(folder, kind), path)
      return path
    })
    const own = await medianOfThree(async () => (await timed(() => readAll(folder, paths))).seconds)
    const other = await medianOfThree(async () => (await timed(() => probeAll(paths))).seconds)
    console.log(
      `${files} files in ${own.toFixed(2)} s, ffprobe in ${other.toFixed(2)} s: ${(other / own).toFixed(1)} times as long`,
    )
  },
})

async function readAll(folder: string, paths: readonly string[]): Promise<void> {
  const planned = paths.map((path, position): PlannedFile => {
    const { size, mtime } = statSync(path)
    return {
      position,
      path,
      place: '',
      pathInStorage: path.slice(folder.length),
      size,
      modified: Math.floor(mtime.getTime() / 1_000),
      reference: '',
    }
  })
  let read = 0
  const link = {
    files: async function* () {
      yield planned
    },
    record: async (found: readonly { media?: unknown; reason: string }[]) => {
      for (const { media, reason } of found) if (media && reason === '') read++
    },
  } as unknown as Parameters<typeof readMediaFiles>[0]
  await readMediaFiles(link, {}, AbortSignal.timeout(600_000))
  if (read !== paths.length) throw new Error(`Only ${read} of ${paths.length} files were read`)
}

async function probeAll(paths: readonly string[]): Promise<void> {
  const left = [...paths]
  const probe = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop())
      await promisify(execFile)('ffprobe', ['-v', 'quiet', '-of', 'json', '-show_format', '-show_streams', path])
  }
  await Promise.all([probe(), probe()])
}
