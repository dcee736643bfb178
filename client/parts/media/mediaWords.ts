import { isMediaName, metadataPrefix } from '#events/media/names.ts'
import { clockText } from '#client/ui/text/duration.ts'
import { countText, percentText } from '#client/ui/text/count.ts'

/** Title of a key of metadata: `Video frame rate`. Keys that are no media fields stay as their source wrote them. */
export function metadataTitle(key: string): string {
  if (!isMediaName(metadataPrefix + key)) return key
  const words = key.replaceAll(/[.A-Z]/g, (sign) => ` ${sign === '.' ? '' : sign.toLowerCase()}`).replace('hdr', 'HDR')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** A value of metadata. Only values of media fields are numbers. */
export function metadataText(key: string, value: string | number): string {
  if (typeof value === 'string') return key === 'image.takenOn' ? value.replace('T', ' ') : value
  switch (key) {
    case 'media.duration':
      return clockText(value)
    case 'video.bitRate':
      return `${(value / 1e6).toFixed(1)} Mbit/s`
    case 'audio.sampleRate':
      return `${countText(value)} Hz`
    default:
      return String(Number(value.toFixed(3)))
  }
}

/** `312 hours`, from seconds; minutes below two hours. */
export const hoursText = (seconds: number): string =>
  seconds < 7200 ? `${countText(Math.round(seconds / 60))} min` : `${countText(Math.round(seconds / 3600))} hours`

/** Share of the media files that a figure is about. */
export const coverageText = ({ files, read }: { files: number; read: number }): string =>
  `${percentText(read / (files || 1))} of ${countText(files)} media ${files === 1 ? 'file' : 'files'} read`
