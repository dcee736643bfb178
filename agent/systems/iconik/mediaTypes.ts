/** Media types of files that are common in Iconik, by their extensions. */
const extensions: Record<string, string> = {
  'video/quicktime': 'mov qt',
  'video/mp4': 'mp4 m4v',
  'video/x-msvideo': 'avi',
  'video/x-matroska': 'mkv',
  'video/mpeg': 'mpg mpeg',
  'video/mp2t': 'ts mts m2ts',
  'application/mxf': 'mxf',
  'audio/wav': 'wav',
  'audio/aiff': 'aif aiff',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/flac': 'flac',
  'image/jpeg': 'jpg jpeg',
  'image/png': 'png',
  'image/tiff': 'tif tiff',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/vnd.adobe.photoshop': 'psd',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
}

const byExtension = new Map(
  Object.entries(extensions).flatMap(([type, names]) => names.split(' ').map((name) => [name, type])),
)

/** Media type of a name; undefined if it is not known. */
export const mediaTypeOf = (name: string): string | undefined =>
  byExtension.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
