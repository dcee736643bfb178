import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLong } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { lacks, readPath, samples, testReader } from './testing.ts'

const folder = testFolder('ffprobe')
const missing = lacks('ffmpeg', 'ffprobe')
const ffmpeg = (name: string, ...options: string[]): string => {
  const path = join(folder, name)
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...options, path])
  return path
}

const picture = (size: string, rate: string, seconds = 1) =>
  `-f lavfi -i testsrc2=size=${size}:rate=${rate}:duration=${seconds}`
const sound = (rate = 48_000, channels = 1) =>
  `-f lavfi -i aevalsrc=exprs=${Array.from({ length: channels }, () => 'sin(9*t)').join('|')}:duration=1:sample_rate=${rate}`

/** Codecs of video and sound with the containers that take them, as options of ffmpeg. */
const videos: [codec: string, containers: string, options: string][] = [
  ['libx264', 'mp4 mov mkv', '-pix_fmt yuv420p'],
  ['libx264', 'mp4 mkv', '-pix_fmt yuv422p10le'],
  ['libx265', 'mp4 mkv', '-pix_fmt yuv420p10le -x265-params log-level=none'],
  ['prores_ks', 'mov mkv', '-profile:v 2'],
  ['prores_ks', 'mov', '-profile:v 4 -pix_fmt yuva444p10le'],
  ['mpeg2video', 'mxf mpg ts mkv', '-b:v 2M'],
  ['mpeg4', 'avi mp4', ''],
  ['mjpeg', 'mov avi', '-pix_fmt yuvj420p'],
  ['libvpx', 'webm mkv', '-deadline realtime'],
  ['libvpx-vp9', 'webm mp4', '-deadline realtime'],
  ['ffv1', 'mkv', ''],
]
const sounds: [codec: string, containers: string][] = [
  ['pcm_s16le', 'wav mov'],
  ['pcm_s24le', 'wav mov mkv'],
  ['pcm_f32le', 'wav'],
  ['pcm_s16be', 'aiff'],
  ['flac', 'flac mkv'],
  ['aac', 'm4a mov'],
  ['libmp3lame', 'mp3 mkv'],
  ['ac3', 'ac3 mkv'],
  ['alac', 'm4a'],
  ['libvorbis', 'ogg'],
]
const sizes = ['320x180', '96x64', '720x576']
const rates = ['25', '24000/1001', '30', '50']

type MadeFile = [name: string, options: string]
const madeVideos: MadeFile[] = videos.flatMap(([codec, containers, options], n) =>
  containers.split(' ').flatMap((container) =>
    sizes.flatMap((size, s) =>
      rates.map((rate, r): MadeFile => {
        return [`${codec}${n}-${s}${r}.${container}`, `${picture(size, rate)} -c:v ${codec} ${options}`]
      }),
    ),
  ),
)
const madeSounds: MadeFile[] = sounds.flatMap(([codec, containers]) =>
  containers
    .split(' ')
    .flatMap((container) =>
      [1, 2].map((channels): MadeFile => [
        `${codec}${channels}.${container}`,
        `${sound(48_000, channels)} -c:a ${codec}`,
      ]),
    ),
)
const oddities: MadeFile[] = [
  [
    'three.mkv',
    `${picture('96x64', '25')} ${sound()} ${sound()} ${sound()} -map 0 -map 1 -map 2 -map 3 -c:v libx264 -c:a aac`,
  ],
  [
    'variable.mp4',
    `${picture('96x64', '25', 2)} -vf setpts='if(lt(N\\,20)\\,PTS\\,PTS*1.5)' -fps_mode vfr -c:v libx264 -pix_fmt yuv420p`,
  ],
  ['rotated.mp4', `-i ${join(samples, 'clip.mov')} -c copy -metadata:s:v rotate=90`],
  // MediaInfo once divided all frames by the duration of the part: MediaInfoLib 2236.
  ['edited.mp4', `-ss 0.5 -i ${join(samples, 'clip.mov')} -c copy`],
  // It counted a frame too many in transport streams: MediaInfoLib 1701.
  ['stream.ts', `${picture('320x180', '25', 12)} -c:v libx264 -pix_fmt yuv420p -b:v 2M`],
  ['fragments.mp4', `${picture('96x64', '25')} -c:v libx264 -pix_fmt yuv420p -movflags frag_keyframe+empty_moov`],
]
const all = [...madeVideos, ...madeSounds, ...oddities]
/** Each codec in a container once, and all in long tests. */
const chosen = isLong
  ? all
  : [...madeVideos.filter((_, n) => n % 31 === 1), ...madeSounds.filter((_, n) => n % 6 === 3), ...oddities]

type Stream = Record<string, string | number | undefined>
/** The same fields by ffprobe, without those that it doesn't have. */
function probed(path: string): Record<string, unknown> {
  const out = execFileSync('ffprobe', ['-v', 'quiet', '-of', 'json', '-show_format', '-show_streams', path]).toString()
  const { streams, format } = JSON.parse(out) as { streams: Stream[]; format: Stream }
  const video = streams.find((stream) => stream['codec_type'] === 'video')
  const audio = streams.find((stream) => stream['codec_type'] === 'audio')
  const [num = 0, den = 1] = String(video?.['avg_frame_rate'] ?? '')
    .split('/')
    .map(Number)
  return {
    'media.duration': Number(format['duration']),
    ...(video && {
      'video.codec': video['codec_name'],
      'video.width': video['width'],
      'video.height': video['height'],
      'video.frameRate': num / den,
      ...(video['bits_per_raw_sample'] && { 'video.bitDepth': Number(video['bits_per_raw_sample']) }),
    }),
    ...(audio && {
      'audio.codec': audio['codec_name'],
      'audio.channels': audio['channels'],
      'audio.sampleRate': Number(audio['sample_rate']),
    }),
  }
}

/** Numbers may differ by a frame in streams without an index, and otherwise by rounding. */
function differences(path: string, facts: Record<string, unknown>): string[] {
  const isStream = /\.(ts|mpg|mp3|ac3)$/.test(path)
  return Object.entries(probed(path)).flatMap(([name, expected]) => {
    const found = facts[name]
    const allowed = name === 'media.duration' ? (isStream ? 0.05 : 0.002) : 0.0006
    const isSame = typeof expected === 'number' ? Math.abs(expected - Number(found)) <= allowed : expected === found
    // A stream without an index may not say its frame rate.
    return isSame || (isStream && found === undefined)
      ? []
      : [`${path}: ${name} is ${String(found)}, not ${String(expected)}`]
  })
}

test.skipIf(missing)(
  'ffprobe finds the same numbers and codecs, in more bytes',
  { timeout: isLong ? 1_800_000 : 180_000 },
  async () => {
    const reader = testReader()
    const wrong: string[] = []
    const bytes: number[] = []
    for (const [name, options] of chosen) {
      const path = ffmpeg(name, ...options.split(' ').filter(Boolean))
      const read = await readPath(reader, path)
      wrong.push(
        ...(read.facts
          ? differences(path, { ...read.facts.texts, ...read.facts.numbers })
          : [`${path}: ${read.failure}`]),
      )
      bytes.push(read.bytes)
    }
    expect(wrong).toEqual([])
    expect(chosen.length).toBeGreaterThan(isLong ? 300 : 15)
    expect(Math.max(...bytes)).toBeLessThanOrEqual(512 * 1_024)
  },
)

test.skipIf(missing)('large files of each container are read in at most 512 KB', { timeout: 180_000 }, async () => {
  const base = ffmpeg('large.mpg', ...`${picture('320x180', '25', 4)} -c:v mpeg2video -qscale:v 1`.split(' '))
  const reader = testReader()
  for (const extension of ['mp4', 'mov', 'mkv', 'mxf', 'ts', 'avi']) {
    const path = ffmpeg(`large.${extension}`, '-i', base, '-c', 'copy')
    const { facts, bytes } = await readPath(reader, path)
    expect(differences(path, { ...facts?.texts, ...facts?.numbers })).toEqual([])
    expect(bytes).toBeLessThanOrEqual(512 * 1_024)
  }
})

/** Fields of a photo by exiftool, without those that it doesn't have. */
function byExiftool(path: string): Record<string, unknown> {
  const out = execFileSync('exiftool', ['-j', '-d', '%Y-%m-%dT%H:%M:%S', path]).toString()
  const [tags = {}] = JSON.parse(out) as Record<string, string>[]
  const fields = {
    'image.width': tags['ImageWidth'],
    'image.height': tags['ImageHeight'],
    'image.camera': tags['Model'],
    'image.lens': tags['LensModel'],
    'image.takenOn': tags['DateTimeOriginal'],
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value && !`${value}`.startsWith('0000')))
}

test.skipIf(lacks('exiftool'))(
  'exiftool finds the same camera, lens, time and size of photos',
  { timeout: 180_000 },
  async () => {
    mkdirSync(join(folder, 'photos'))
    const tags = [
      ['-Model=NIKON D850', '-LensModel=24-70mm f/2.8', '-DateTimeOriginal=2019:01:02 03:04:05', '-Orientation#=8'],
      ['-Model=ILCE-7M4', '-DateTimeOriginal=1999:12:31 23:59:59', '-ColorSpace#=65535'],
      ['-XMP:Model=X100V', '-XMP:DateTimeOriginal=2021:02:03 04:05:06', '-XMP:CreateDate=2021:02:03 04:05:06'],
      ['-DateTimeOriginal=0000:00:00 00:00:00', '-Model='],
    ]
    for (const [n, given] of tags.entries()) {
      const path = join(folder, 'photos', `${n}.jpg`)
      copyFileSync(join(samples, 'photo.jpg'), path)
      execFileSync('exiftool', ['-q', '-overwrite_original', '-all=', ...given, path])
    }
    const reader = testReader()
    for (const name of readdirSync(join(folder, 'photos'))) {
      const path = join(folder, 'photos', name)
      const { facts } = await readPath(reader, path)
      expect({ ...facts?.texts, ...facts?.numbers }).toMatchObject(byExiftool(path))
      expect(facts?.texts['image.takenOn'] ?? '').not.toMatch(/^0000/)
    }
  },
)
