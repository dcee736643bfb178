/**
 * Fields of media files below `metadata.`, as searches, lists and downloads name them, by kind. Sizes are pixels, `bitRate` is bits a second,
 * `duration` seconds, `takenOn` the local time of the camera as `yyyy-MM-ddTHH:mm:ss`.
 */
export const mediaFields = {
  'video.codec': 'text',
  'video.profile': 'text',
  'video.width': 'number',
  'video.height': 'number',
  'video.frameRate': 'number',
  'video.bitDepth': 'number',
  'video.bitRate': 'number',
  'video.chroma': 'text',
  'video.hdr': 'text',
  'audio.codec': 'text',
  'audio.channels': 'number',
  'audio.sampleRate': 'number',
  'audio.languages': 'text',
  'media.container': 'text',
  'media.duration': 'number',
  'media.timecode': 'text',
  'image.width': 'number',
  'image.height': 'number',
  'image.camera': 'text',
  'image.lens': 'text',
  'image.takenOn': 'text',
  'image.orientation': 'number',
  'image.colorSpace': 'text',
  'image.bitDepth': 'number',
} as const satisfies Record<string, 'text' | 'number'>
export type MediaField = keyof typeof mediaFields
