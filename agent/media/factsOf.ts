import type {
  AudioTrack,
  GeneralTrack,
  ImageTrack,
  MediaInfoResult,
  MenuTrack,
  OtherTrack,
  TextTrack,
  VideoTrack,
} from 'mediainfo.js'
import {
  maxChapters,
  maxMediaText as maxText,
  maxTracks,
  type MediaDetails,
  type MediaFacts,
} from '#events/media/facts.ts'
import { type MediaField, mediaFields } from '#events/media/fields.ts'
import { cleanText } from '#events/contract/cleanText.ts'
import { audioCodec, containerOf, videoCodec } from './codecs.ts'

type Track = NonNullable<MediaInfoResult['media']>['track'][number]
type Values = Partial<Record<MediaField, string | number | undefined>>

/** Facts of a file by its tracks. Undefined if it has no track of a picture, video or sound. */
export function factsOf(tracks: readonly Track[]): MediaFacts | undefined {
  const of = <T extends Track>(type: T['@type']) => tracks.filter((track): track is T => track['@type'] === type)
  const [general] = of<GeneralTrack>('General')
  const [video] = of<VideoTrack>('Video')
  const audio = of<AudioTrack>('Audio')
  // Covers of music are pictures, too.
  const [image] = video || audio.length > 0 ? [] : of<ImageTrack>('Image')
  if (!general || !(video ?? audio[0] ?? image)) return undefined
  const container = containerOf(general)
  const facts = checked({
    'media.container': container,
    ...(!image && {
      'media.duration': durationOf(general, [video, ...audio]),
      'media.timecode': of<OtherTrack>('Other').find(({ TimeCode_FirstFrame: first }) => first)?.TimeCode_FirstFrame,
    }),
    ...(video && ofVideo(video)),
    ...(audio[0] && ofAudio(audio)),
    ...(image && ofImage(image)),
  })
  for (const name of untrue[container] ?? []) delete facts.numbers[name]
  return {
    ...facts,
    details: { tracks: tracks.flatMap(described).slice(0, maxTracks), chapters: chaptersOf(of<MenuTrack>('Menu')) },
  }
}

/** Numbers of containers that are only what an encoder planned, or count something else. */
const untrue: Record<string, MediaField[]> = { flv: ['video.bitRate', 'audio.channels'], bmp: ['image.bitDepth'] }

/** The duration of a transport stream is measured by its clock, which starts before the first picture. */
function durationOf({ Duration, Format }: GeneralTrack, tracks: (VideoTrack | AudioTrack | undefined)[]) {
  const durations = tracks.flatMap((track) => track?.Duration ?? [])
  const isByClock = Format === 'MPEG-TS' || Format === 'BDAV'
  return durations.length > 0 && (isByClock || Duration === undefined) ? Math.max(...durations) : Duration
}

/** Facts with values that make sense: parsers report zero for what a damaged file doesn't tell. */
export function checked(values: Values): Pick<MediaFacts, 'texts' | 'numbers'> {
  const facts: Pick<MediaFacts, 'texts' | 'numbers'> = { texts: {}, numbers: {} }
  for (const [name, value] of Object.entries(values) as [MediaField, string | number | undefined][]) {
    if (mediaFields[name] === 'number') {
      const number = Number(value)
      if (Number.isFinite(number) && number > 0) facts.numbers[name] = number
    } else if (value !== undefined && String(value).trim() !== '')
      facts.texts[name] = cleanText(String(value).trim(), maxText)
  }
  return facts
}

const ofVideo = (track: VideoTrack): Values => ({
  'video.codec': videoCodec(track),
  'video.profile': track.Format_Profile,
  'video.width': track.Sampled_Width ?? track.Width,
  'video.height': track.Sampled_Height ?? track.Height,
  'video.frameRate': frameRateOf(track),
  'video.bitDepth': bitDepthOf(track),
  'video.bitRate': bitRateOf(track),
  'video.chroma': track.ChromaSubsampling,
  'video.hdr': hdrOf(track),
})

const ofAudio = (tracks: AudioTrack[]): Values => ({
  'audio.codec': tracks[0] && audioCodec(tracks[0]),
  'audio.channels': tracks[0]?.Channels,
  'audio.sampleRate': tracks[0]?.SamplingRate,
  'audio.languages': [...new Set(tracks.flatMap(({ Language = '' }) => (Language ? [Language] : [])))].join(', '),
})

const ofImage = ({ Width, Height, BitDepth }: ImageTrack): Values => ({
  'image.width': Width,
  'image.height': Height,
  'image.bitDepth': BitDepth,
})

/** The average rate, exactly if it is a fraction such as 24000/1001. */
function frameRateOf({ FrameRate, FrameRate_Num: num, FrameRate_Den: den, FrameRate_Mode }: VideoTrack) {
  return FrameRate_Mode !== 'VFR' && num && den ? num / den : FrameRate
}

/** The rate of the whole stream, also if an edit list shows only a part of it. */
const bitRateOf = ({ BitRate, Source_StreamSize: size, Source_Duration: duration }: VideoTrack) =>
  size && duration ? Math.round((size * 8) / duration) : BitRate

/** Codecs whose streams don't name the depth have the one that their decoders give. */
function bitDepthOf({ BitDepth, Format, Format_Profile = '' }: VideoTrack): number | undefined {
  if (BitDepth !== undefined) return BitDepth
  if (Format === 'ProRes') return Format_Profile.startsWith('4444') ? 12 : 10
  return Format === 'VP8' || (Format === 'VP9' && /^0?$/.test(Format_Profile)) ? 8 : undefined
}

function hdrOf({ HDR_Format: format = '', transfer_characteristics: transfer = '' }: VideoTrack): string | undefined {
  if (format.includes('Dolby Vision')) return 'Dolby Vision'
  if (format.includes('2094')) return 'HDR10+'
  if (transfer.startsWith('HLG')) return 'HLG'
  if (!transfer.startsWith('PQ')) return undefined
  return format.includes('2086') ? 'HDR10' : 'PQ'
}

/** A track for the details of a file; none for what describes the whole file. */
function described(track: Track): MediaDetails['tracks'] {
  const facts = labelled(track)
  if (!facts) return []
  const texts = Object.entries(facts).filter(([, text]) => text !== undefined && text !== '')
  const kind = kinds[track['@type']] ?? 'other'
  return [{ kind, facts: Object.fromEntries(texts.map(([label, text]) => [label, cleanText(String(text), maxText)])) }]
}

const kinds: Record<string, MediaDetails['tracks'][number]['kind']> = {
  Video: 'video',
  Image: 'video',
  Audio: 'audio',
  Text: 'text',
}

function labelled(track: Track): Record<string, string | number | undefined> | undefined {
  switch (track['@type']) {
    case 'Video': {
      const { Format_Profile: Profile, ScanType: Scan, Duration } = track
      const rate = frameRateOf(track)
      return {
        Codec: videoCodec(track),
        Profile,
        Resolution: sizeOf(track),
        'Frame rate': rate && `${Number(rate.toFixed(3))} fps`,
        Scan,
        Duration: Duration && `${Duration} s`,
      }
    }
    case 'Image':
      return { Format: track.Format, Resolution: sizeOf(track) }
    case 'Audio': {
      const { Channels, SamplingRate, Language, Title } = track
      return {
        Codec: audioCodec(track),
        Channels,
        'Sample rate': SamplingRate && `${SamplingRate} Hz`,
        Language,
        Title,
      }
    }
    case 'Text':
      return { Format: track.Format, Language: track.Language, Title: (track as TextTrack).Title }
    case 'Other':
      return { Type: track.Type, Timecode: track.TimeCode_FirstFrame }
    default:
      return undefined
  }
}

const sizeOf = ({ Width, Height }: VideoTrack | ImageTrack) => (Width && Height ? `${Width} × ${Height}` : undefined)

/** Chapters: MediaInfo names the fields of their titles by the times, such as `_00_01_30_000`. */
function chaptersOf(menus: MenuTrack[]): MediaDetails['chapters'] {
  const fields = menus.flatMap(({ extra }) => Object.entries((extra ?? {}) as Record<string, unknown>))
  const chapters = fields.flatMap(([name, title]) => {
    const [, hours, minutes, seconds, thousandths] = /^_(\d+)_(\d\d)_(\d\d)_(\d{3})$/.exec(name) ?? []
    if (hours === undefined) return []
    const start = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(thousandths) / 1_000
    return [{ start, title: cleanText(String(title), maxText) }]
  })
  return chapters.slice(0, maxChapters)
}
