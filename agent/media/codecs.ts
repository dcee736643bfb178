import type { AudioTrack, GeneralTrack, ImageTrack, VideoTrack } from 'mediainfo.js'

/** Names of ffprobe for formats that MediaInfo names differently, other than in lower case. */
const codecs: Record<string, string> = {
  AVC: 'h264',
  'MPEG-4 Visual': 'mpeg4',
  'VC-3': 'dnxhd',
  DV: 'dvvideo',
  JPEG: 'mjpeg',
  'JPEG 2000': 'jpeg2000',
  CineForm: 'cfhd',
  'VC-1': 'vc1',
  'Sorenson Spark': 'flv1',
  'H.263': 'h263',
  YUV: 'rawvideo',
  RGB: 'rawvideo',
  'Ut Video': 'utvideo',
  'AC-3': 'ac3',
  'E-AC-3': 'eac3',
  'MLP FBA': 'truehd',
  DTS: 'dts',
}

const containers: Record<string, string> = {
  'MPEG-4': 'mp4',
  'MPEG-TS': 'mpegts',
  BDAV: 'mpegts',
  'MPEG-PS': 'mpeg',
  Wave: 'wav',
  'MPEG Audio': 'mp3',
  'Flash Video': 'flv',
  'Windows Media': 'asf',
  'JPEG 2000': 'jp2',
  Bitmap: 'bmp',
}

const lower = (format: string): string => format.toLowerCase().replaceAll(/[ /]+/g, '_')
const named = (names: Record<string, string>, format: string): string =>
  Object.hasOwn(names, format) ? (names[format] ?? '') : lower(format)

/** Codec by its name in ffprobe, such as `h264`, `prores` or `dnxhd`. */
export function videoCodec({ Format = '', Format_Version }: VideoTrack | ImageTrack): string {
  if (Format === 'MPEG Video') return Format_Version === '1' ? 'mpeg1video' : 'mpeg2video'
  return named(codecs, Format)
}

/** Same for sound, such as `aac`, `mp3` or `pcm_s24le`. */
export function audioCodec(track: AudioTrack): string {
  const { Format = '', Format_Profile, Format_Settings_Sign, Format_Settings_Endianness, BitDepth } = track
  if (Format === 'MPEG Audio') return Format_Profile === 'Layer 3' ? 'mp3' : 'mp2'
  if (Format === 'WMA') return track.Format_Version === '1' ? 'wmav1' : 'wmav2'
  if (Format !== 'PCM' || !BitDepth) return named(codecs, Format)
  const isFloat = Format_Profile === 'Float'
  const kind = isFloat
    ? 'f'
    : Format_Settings_Sign === 'Unsigned' || (BitDepth === 8 && !Format_Settings_Sign)
      ? 'u'
      : 's'
  const order = BitDepth === 8 ? '' : Format_Settings_Endianness === 'Big' ? 'be' : 'le'
  return `pcm_${kind}${BitDepth}${order}`
}

/** Container, such as `mov`, `mp4`, `mxf` or `mpegts`. */
export const containerOf = ({ Format = '', Format_Profile }: GeneralTrack): string =>
  Format === 'MPEG-4' && Format_Profile === 'QuickTime' ? 'mov' : named(containers, Format)
