const split = (names: string): string[] => names.split(' ')

/** Extensions of photos as cameras store them. Headers of these formats describe a preview, so only their EXIF data counts. */
export const rawExtensions = split('dng nef nrw cr2 arw srw pef orf rw2 3fr')

/** Extensions of files that are read for their media data, in lower case. */
export const mediaExtensions: readonly string[] = [
  ...split('mov mp4 m4v mxf mkv webm avi mpg mpeg m2v vob ts mts m2ts wmv flv ogv 3gp dv'),
  ...split('wav aif aiff flac mp3 m4a aac ogg oga opus wma ac3 caf mka'),
  ...split('jpg jpeg png tif tiff gif bmp webp heic heif avif jp2 j2k dpx exr psd tga'),
  ...rawExtensions,
]
